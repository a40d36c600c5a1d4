// SPDX-License-Identifier: Apache-2.0
// Between the plain types of network.h and tensors.
#pragma once

#include <string>
#include <string_view>

#include <ATen/ATen.h>

#include "snellen/models/network.h"

namespace snellen::models::nn {

// [count, 3, height, width] on the device. Throws kInvalidInput when the sizes do not agree, or are
// not `height` x `width` where those are given.
at::Tensor to_tensor(const PixelsView& pixels,
                     const at::TensorOptions& options,
                     int64_t height = 0,
                     int64_t width = 0);
at::Tensor to_tensor(const Matrix& matrix, const at::TensorOptions& options);

// [rows, everything else], float32 on the CPU.
Matrix to_matrix(const at::Tensor& tensor);

// Hands `tensor` to the trace as float32; does nothing without one.
void record(Trace* trace, std::string_view name, const at::Tensor& tensor);
void record(Trace* trace, std::string_view tower, size_t layer, const at::Tensor& tensor);

at::ScalarType scalar_type_of(ElementKind kind);

// "cpu", "cuda" or "cuda:N". Throws kUsage when there is none such, or torch has no part for it.
at::Device device_of(const std::string& name);

}  // namespace snellen::models::nn
