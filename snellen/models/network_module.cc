// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/network_module.h"

#include <algorithm>

#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/module_door.h"

namespace snellen::models {

bool Architecture::reads(const Checkpoint& checkpoint) const {
  const std::vector<std::string>& types = facts().model_types;
  return std::find(types.begin(), types.end(), checkpoint.model_type()) != types.end();
}

NetworkModule::NetworkModule(const std::filesystem::path& file) {
  auto door = open_door<NetworkModuleDoor>(file,
                                           {.entry = "snellen_open_networks",
                                            .needed_by = "checkpoint folders need",
                                            .when_absent = "is no module of snellen"});
  torch_ = std::move(door.torch);
  architectures_ = std::move(door.architectures);
  stage_ = door.stage;
  stage_bytes_ = door.stage_bytes;
  is_out_of_memory_ = door.is_out_of_memory;
  decode_ = door.decode;
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
