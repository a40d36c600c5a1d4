// SPDX-License-Identifier: Apache-2.0
// The torch headers stay in this file: their folder carries another fmt than the system's.
#include "tests/link/torch_part.h"

#include <torch/torch.h>

namespace snellen::link {

bool torch_adds_up() {
  torch::NoGradGuard no_grad;
  torch::Tensor product = torch::ones({16, 32}).matmul(torch::ones({32, 8}));
  return product.sum().item<float>() == 16 * 8 * 32;
}

}  // namespace snellen::link
