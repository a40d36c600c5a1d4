// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/models_network.h"

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/checkpoint.h"

namespace snellen::golden {

std::unique_ptr<models::Network> load_network(const std::filesystem::path& folder) {
  models::Checkpoint checkpoint(folder);
  for (const auto& architecture : models::built_in_networks()) {
    if (architecture->reads(checkpoint)) return architecture->load(checkpoint, {});
  }
  throw models::unknown_model_type(checkpoint, {});
}

}  // namespace snellen::golden
