// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/error.h"
#include "snellen/models/nn/cuda/captured_forward.h"
#include "snellen/models/nn/cuda/captured_pass.h"
#include "snellen/models/nn/cuda/communicator.h"
#include "snellen/models/nn/cuda/decode_pictures.h"
#include "snellen/models/nn/cuda/kernels.h"

namespace snellen::models::nn::cuda {

bool has_quick_gelu(const at::Tensor&) {
  return false;
}

void quick_gelu_in_place(at::Tensor&) {}

at::Tensor quick_gelu(const at::Tensor&) {
  return {};
}

at::Tensor quick_gelu_gradient(const at::Tensor&, const at::Tensor&) {
  return {};
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

struct CapturedPass::Graphs {};
CapturedPass::CapturedPass(std::vector<at::Tensor> parameters, at::Device device)
    : parameters_(std::move(parameters)), device_(device) {}
CapturedPass::~CapturedPass() = default;

at::Tensor CapturedPass::forward(const std::vector<at::Tensor>& inputs, const Forward& forward) {
  return rows_ = forward(on_device(inputs));
}

void CapturedPass::backward(const at::Tensor& gradient) {
  if (rows_.requires_grad()) rows_.backward(gradient);
  rows_.reset();
}

Communicator::Id Communicator::new_id() {
  return {};
}

Communicator::Communicator(const Id&, int, int, at::Device device) : device_(device) {
  throw Error{ErrorCode::kUsage, "this build adds nothing up on devices", "", "train on the CPU"};
}

Communicator::~Communicator() = default;

void Communicator::add_up(const at::Tensor&) {}

DecodePictures picture_decoder() {
  return nullptr;
}

const at::Tensor& tensor_of(const DevicePictures&) {
  throw Error{ErrorCode::kInternal, "pictures of a device in a build without kernels"};
}

}  // namespace snellen::models::nn::cuda
