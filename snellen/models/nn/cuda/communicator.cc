// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/cuda/communicator.h"

#include <algorithm>

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/csrc/cuda/nccl.h>

namespace snellen::models::nn::cuda {

namespace nccl = torch::cuda::nccl;

Communicator::Id Communicator::new_id() {
  nccl::ncclUniqueId made;
  nccl::get_unique_id(made);
  Id id;
  static_assert(sizeof(made.internal) == sizeof(id));
  std::copy(std::begin(made.internal), std::end(made.internal), id.begin());
  return id;
}

Communicator::Communicator(const Id& id, int rank, int size, at::Device device) : device_(device) {
  nccl::ncclUniqueId known;
  std::copy(id.begin(), id.end(), std::begin(known.internal));
  c10::cuda::CUDAGuard guard(device_);
  handle_ = nccl::comm_init_rank(size, known, rank);
}

Communicator::~Communicator() {
  c10::cuda::CUDAGuard guard(device_);
  nccl::comm_destroy(handle_);
}

void Communicator::add_up(const at::Tensor& tensor) {
  c10::cuda::CUDAGuard guard(device_);
  std::vector<at::Tensor> both = {tensor};
  nccl::all_reduce(both,
                   both,
                   static_cast<int32_t>(nccl::ncclRedOp::Sum),
                   {c10::cuda::getCurrentCUDAStream()},
                   {handle_});
}

}  // namespace snellen::models::nn::cuda
