// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include "snellen/models/device_pictures.h"

namespace snellen::models::nn::cuda {

// Null where nvcc compiled no kernels.
DecodePictures picture_decoder();

// Of what picture_decoder() made.
const at::Tensor& tensor_of(const DevicePictures& pictures);

}  // namespace snellen::models::nn::cuda
