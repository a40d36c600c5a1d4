// SPDX-License-Identifier: Apache-2.0
// Stands in for models_network.cc in a build without torch.
#include "tests/golden_runner/models_network.h"

namespace snellen::golden {

std::unique_ptr<models::Network> load_network(const std::filesystem::path&) {
  return nullptr;
}

}  // namespace snellen::golden
