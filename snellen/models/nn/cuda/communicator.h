// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <ATen/ATen.h>

namespace snellen::models::nn::cuda {

// NVIDIA devices of several processes, one each, that add up tensors without a way over the host
// (NCCL, through torch). Every member calls the same functions in the same order.
class Communicator {
 public:
  // What the members know each other by: one of them makes it and tells the others.
  using Id = std::array<char, 128>;
  static Id new_id();

  // Returns when all members have come. Throws kUsage in a build without CUDA.
  Communicator(const Id& id, int rank, int size, at::Device device);
  ~Communicator();  // NOLINT(performance-trivially-destructible): not where there is NCCL
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  // The sum over all members in the place of a contiguous tensor, behind what its stream does.
  void add_up(const at::Tensor& tensor);

 private:
  void* handle_ = nullptr;
  at::Device device_;
};

}  // namespace snellen::models::nn::cuda
