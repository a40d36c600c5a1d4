// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ATen/ATen.h>

#include "snellen/models/network_module.h"

namespace snellen::models::nn {

// [count, 3, height, width] in the type and on the device of `options`; through page-locked memory
// to a GPU.
std::unique_ptr<StagedPixels> stage_pixels(const PixelsView& pixels, const NetworkOptions& options);

std::unique_ptr<StagedPixels> stage_bytes(const BytePixels& pixels, const NetworkOptions& options);

const at::Tensor& tensor_of(const StagedPixels& staged);

}  // namespace snellen::models::nn
