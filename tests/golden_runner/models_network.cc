// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/models_network.h"

#include <fmt/format.h>

#include "snellen/models/check/network_check.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"

namespace snellen::golden {

void check_network_stages(const std::filesystem::path& folder, Tally& tally) {
  models::Fixture fixture(folder);
  models::Checkpoint checkpoint(folder);
  std::vector<std::unique_ptr<models::Architecture>> zoo = models::built_in_networks();
  for (const auto& architecture : zoo) {
    if (!architecture->reads(checkpoint)) continue;
    std::unique_ptr<models::Network> network = architecture->load(checkpoint, {});
    for (const models::StageResult& stage :
         check_network(*network, fixture, stored_inputs(fixture))) {
      tally.start(stage.name);
      tally.expect(stage.is_equal,
                   stage.note.empty() ? fmt::format("differs by {:.3g} at {}: {} instead of {}",
                                                    stage.largest,
                                                    stage.index,
                                                    stage.got,
                                                    stage.want)
                                      : stage.note);
    }
    return;
  }
  tally.pending("the network");
}

}  // namespace snellen::golden
