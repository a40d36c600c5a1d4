// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/error.h"
#include "snellen/models/nn/cuda/captured_forward.h"
#include "snellen/models/nn/cuda/decode_pictures.h"
#include "snellen/models/nn/cuda/kernels.h"

namespace snellen::models::nn::cuda {

bool quick_gelu_in_place(at::Tensor&) {
  return false;
}

Summed add_norm(
    const at::Tensor&, const at::Tensor&, const at::Tensor&, const at::Tensor&, double) {
  return {};
}

struct CapturedForward::Graph {};
CapturedForward::CapturedForward() = default;
CapturedForward::~CapturedForward() = default;

at::Tensor CapturedForward::operator()(const at::Tensor& input, const Forward& forward) const {
  return forward(input);
}

DecodePictures picture_decoder() {
  return nullptr;
}

const at::Tensor& tensor_of(const DevicePictures&) {
  throw Error{ErrorCode::kInternal, "pictures of a device in a build without kernels"};
}

}  // namespace snellen::models::nn::cuda
