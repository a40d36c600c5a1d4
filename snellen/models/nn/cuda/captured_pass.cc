// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/cuda/captured_pass.h"

#include <algorithm>

#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/Event.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/autograd/autograd.h>

namespace snellen::models::nn::cuda {
namespace {

constexpr ptrdiff_t kMostShapes = 4;

std::vector<int64_t> shape_key(const std::vector<at::Tensor>& inputs) {
  std::vector<int64_t> key;
  for (const at::Tensor& input : inputs) {
    key.push_back(input.dim());
    key.insert(key.end(), input.sizes().begin(), input.sizes().end());
  }
  return key;
}

std::vector<at::Tensor> gradients_of(const at::Tensor& rows,
                                     const std::vector<at::Tensor>& parameters,
                                     const at::Tensor& gradient) {
  return torch::autograd::grad({rows},
                               parameters,
                               {gradient},
                               /*retain_graph=*/false,
                               /*create_graph=*/false,
                               /*allow_unused=*/true);
}

}  // namespace

struct CapturedPass::Graphs {
  at::cuda::CUDAGraph forward, backward;
  bool is_ready = false;
  bool has_failed = false;
  std::vector<at::Tensor> inputs;
  at::Tensor rows;
  at::Tensor gradient;                // of the rows; undefined when nothing moves
  std::vector<at::Tensor> gradients;  // of the parameters; undefined where they have no part
  c10::cuda::CUDAStream way_in = c10::cuda::getStreamFromPool();
  c10::Event inputs_read{c10::DeviceType::CUDA};

  void capture(const std::vector<at::Tensor>& given,
               const std::vector<at::Tensor>& parameters,
               const Forward& work) {
    c10::cuda::getCurrentCUDAStream().synchronize();
    // Capturing needs a stream of its own.
    c10::cuda::CUDAStreamGuard on_stream(c10::cuda::getStreamFromPool());
    inputs = given;
    {
      // Libraries choose their kernels and take their memory.
      at::Tensor tried = work(inputs);
      if (tried.requires_grad()) gradients_of(tried, parameters, at::ones_like(tried));
    }
    c10::cuda::getCurrentCUDAStream().synchronize();
    forward.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    at::Tensor made = work(inputs);
    forward.capture_end();
    if (made.requires_grad()) {
      gradient = at::zeros_like(made);
      // The same memory: what the way forward keeps is read on the way back.
      backward.capture_begin(forward.pool(), cudaStreamCaptureModeThreadLocal);
      gradients = gradients_of(made, parameters, gradient);
      backward.capture_end();
    }
    rows = made.detach();
    c10::cuda::getCurrentCUDAStream().synchronize();
    is_ready = true;
  }

  // Gradients of an earlier batch may lie where the way forward is about to write.
  void let_go_of(std::vector<at::Tensor>& parameters) const {
    for (size_t i = 0; i < gradients.size(); ++i) {
      at::Tensor& sum = parameters[i].mutable_grad();
      if (sum.defined() && sum.is_same(gradients[i])) sum = sum.clone();
    }
  }

  void take(const std::vector<at::Tensor>& given) {
    inputs_read.block(way_in.unwrap());
    c10::cuda::CUDAStreamGuard on_stream(way_in);
    for (size_t i = 0; i < inputs.size(); ++i) inputs[i].copy_(given[i]);
    // A copy from ordinary memory has ended when it returns.
  }
};

CapturedPass::CapturedPass(std::vector<at::Tensor> parameters, at::Device device)
    : parameters_(std::move(parameters)), device_(device) {}
CapturedPass::~CapturedPass() = default;

at::Tensor CapturedPass::forward(const std::vector<at::Tensor>& inputs, const Forward& forward) {
  replayed_ = nullptr;
  if (!device_.is_cuda()) return rows_ = forward(inputs);
  c10::cuda::CUDAGuard guard(device_);
  auto [place, is_new] = graphs_.try_emplace(shape_key(inputs));
  // Few shapes are worth their memory: the first that come twice.
  auto num_kept = std::count_if(
      graphs_.begin(), graphs_.end(), [](const auto& known) { return known.second != nullptr; });
  if (!is_new && !place->second && num_kept < kMostShapes)
    place->second = std::make_unique<Graphs>();
  Graphs* graphs = place->second.get();
  if (graphs == nullptr || graphs->has_failed) return rows_ = forward(on_device(inputs));
  if (graphs->is_ready) {
    graphs->take(inputs);
  } else {
    try {
      graphs->capture(on_device(inputs), parameters_, forward);
    } catch (const c10::Error&) {
      place->second = std::make_unique<Graphs>();
      place->second->has_failed = true;
      return rows_ = forward(on_device(inputs));
    }
  }
  graphs->let_go_of(parameters_);
  graphs->forward.replay();
  graphs->inputs_read.record(c10::cuda::getCurrentCUDAStream().unwrap());
  replayed_ = graphs;
  return graphs->rows;
}

void CapturedPass::backward(const at::Tensor& gradient) {
  if (replayed_ == nullptr) {
    if (rows_.requires_grad()) rows_.backward(gradient);
    rows_.reset();
    return;
  }
  if (!replayed_->gradient.defined()) return;
  c10::cuda::CUDAGuard guard(device_);
  std::vector<at::Tensor> sums, added;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    at::Tensor& sum = parameters_[i].mutable_grad();
    const at::Tensor& own = replayed_->gradients[i];
    if (!own.defined() || !sum.defined()) continue;
    sums.push_back(sum);
    added.push_back(own);
  }
  replayed_->gradient.copy_(gradient);
  replayed_->backward.replay();
  // Tokens are looked at on the way back too.
  replayed_->inputs_read.record(c10::cuda::getCurrentCUDAStream().unwrap());
  if (!sums.empty()) at::_foreach_add_(sums, added);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    at::Tensor& sum = parameters_[i].mutable_grad();
    if (!sum.defined()) sum = replayed_->gradients[i];
  }
  replayed_ = nullptr;
}

}  // namespace snellen::models::nn::cuda
