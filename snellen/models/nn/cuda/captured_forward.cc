// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/cuda/captured_forward.h"

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

namespace snellen::models::nn::cuda {
namespace {

constexpr size_t kMostShapes = 4;

}  // namespace

struct CapturedForward::Graph {
  std::unique_ptr<at::cuda::CUDAGraph> graph;  // null until the shape comes again, or if it failed
  bool has_failed = false;
  at::Tensor input;
  at::Tensor output;

  void capture(const at::Tensor& like, const Forward& forward) {
    input = at::empty_like(like, at::MemoryFormat::Contiguous);
    // Capturing needs a stream of its own, and what was asked before must have been done.
    c10::cuda::getCurrentCUDAStream().synchronize();
    c10::cuda::CUDAStreamGuard on_stream(c10::cuda::getStreamFromPool());
    input.copy_(like);
    forward(input);  // libraries choose their kernels and take their memory
    c10::cuda::getCurrentCUDAStream().synchronize();
    auto made = std::make_unique<at::cuda::CUDAGraph>();
    // Other threads may copy and allocate meanwhile.
    made->capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    output = forward(input);
    made->capture_end();
    graph = std::move(made);
  }
};

CapturedForward::CapturedForward() = default;
CapturedForward::~CapturedForward() = default;

at::Tensor CapturedForward::operator()(const at::Tensor& input, const Forward& forward) const {
  if (!input.is_cuda()) return forward(input);
  c10::cuda::CUDAGuard on_device(input.device());
  std::unique_lock lock(mutex_);
  auto place = graphs_.find(input.sizes().vec());
  if (place == graphs_.end()) {
    if (graphs_.size() < kMostShapes)
      graphs_.emplace(input.sizes().vec(), std::make_unique<Graph>());
    lock.unlock();
    return forward(input);
  }
  Graph& kept = *place->second;
  if (!kept.graph && !kept.has_failed) {
    try {
      kept.capture(input, forward);
    } catch (const c10::Error&) {
      kept = Graph{.graph = nullptr, .has_failed = true, .input = {}, .output = {}};
    }
  }
  if (kept.has_failed) {
    lock.unlock();
    return forward(input);
  }
  kept.input.copy_(input);
  kept.graph->replay();
  return kept.output.clone();
}

}  // namespace snellen::models::nn::cuda
