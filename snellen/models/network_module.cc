// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/network_module.h"

#include <algorithm>

#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/module_exports.h"

namespace snellen::models {

bool Architecture::reads(const Checkpoint& checkpoint) const {
  const std::vector<std::string>& types = facts().model_types;
  return std::find(types.begin(), types.end(), checkpoint.model_type()) != types.end();
}

NetworkModule::NetworkModule(const std::filesystem::path& file) {
  auto exports = open_exports<NetworkModuleExports>(file,
                                                    {.entry = "snellen_open_networks",
                                                     .needed_by = "checkpoint folders need",
                                                     .when_absent = "is no module of snellen"});
  torch_ = std::move(exports.torch);
  architectures_ = std::move(exports.architectures);
  stage_ = exports.stage;
  stage_bytes_ = exports.stage_bytes;
  is_out_of_memory_ = exports.is_out_of_memory;
  decode_ = exports.decode;
}

const Architecture& NetworkModule::architecture_of(const Checkpoint& checkpoint) const {
  std::vector<std::string> known;
  for (const auto& architecture : architectures_) {
    if (architecture->reads(checkpoint)) return *architecture;
    const std::vector<std::string>& types = architecture->facts().model_types;
    known.insert(known.end(), types.begin(), types.end());
  }
  throw unknown_model_type(checkpoint, known);
}

}  // namespace snellen::models
