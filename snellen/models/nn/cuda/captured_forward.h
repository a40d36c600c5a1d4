// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <ATen/ATen.h>

namespace snellen::models::nn::cuda {

// A tower on an NVIDIA device. A shape that comes again is captured: its hundreds of kernels are
// then started as one graph, on memory of its own. Elsewhere, for other shapes, and where capturing
// fails it is an ordinary call. Safe from many threads.
class CapturedForward {
 public:
  using Forward = std::function<at::Tensor(const at::Tensor& input)>;

  CapturedForward();
  ~CapturedForward();
  CapturedForward(const CapturedForward&) = delete;
  CapturedForward& operator=(const CapturedForward&) = delete;

  // forward(input). `forward` must be the same one in every call.
  at::Tensor operator()(const at::Tensor& input, const Forward& forward) const;

 private:
  struct Graph;

  mutable std::mutex mutex_;  // guards graphs_ and what they run on
  mutable std::map<std::vector<int64_t>, std::unique_ptr<Graph>> graphs_;
};

}  // namespace snellen::models::nn::cuda
