// SPDX-License-Identifier: Apache-2.0
#pragma once

// Marks functions that nvcc compiles for devices too. They keep to C++17.
#ifdef __CUDACC__
#define SNELLEN_ANYWHERE __host__ __device__ inline
#else
#define SNELLEN_ANYWHERE inline
#endif
