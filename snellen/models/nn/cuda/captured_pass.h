// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <ATen/ATen.h>

namespace snellen::models::nn::cuda {

// A tower in training: rows forward, gradients backward. On an NVIDIA device a shape that comes
// again is captured, and each way is then started as one graph, on memory of its own. Elsewhere,
// for other shapes, and where capturing fails, both are ordinary calls. One thread at a time.
class CapturedPass {
 public:
  // Rows of inputs on the device. It reads the weights each time it is called.
  using Forward = std::function<at::Tensor(const std::vector<at::Tensor>& inputs)>;

  // The parameters that move. Their numbers stay where they are while this lives.
  CapturedPass(std::vector<at::Tensor> parameters, at::Device device);
  ~CapturedPass();
  CapturedPass(const CapturedPass&) = delete;
  CapturedPass& operator=(const CapturedPass&) = delete;

  // forward(inputs), which come from the host: they travel beside what the device is doing.
  // `forward` must be the same one in every call.
  at::Tensor forward(const std::vector<at::Tensor>& inputs, const Forward& forward);
  // Adds to the parameters' gradients what the rows that forward() gave last have to do with them.
  void backward(const at::Tensor& gradient);

 private:
  struct Graphs;

  std::vector<at::Tensor> on_device(const std::vector<at::Tensor>& inputs) const {
    std::vector<at::Tensor> moved;
    moved.reserve(inputs.size());
    for (const at::Tensor& input : inputs) moved.push_back(input.to(device_));
    return moved;
  }

  std::vector<at::Tensor> parameters_;
  at::Device device_;
  at::Tensor rows_;             // of an ordinary call
  Graphs* replayed_ = nullptr;  // those of the last call, where there were any
  std::map<std::vector<int64_t>, std::unique_ptr<Graphs>> graphs_;
};

}  // namespace snellen::models::nn::cuda
