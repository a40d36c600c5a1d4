// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/network_module.h"

#include <dlfcn.h>

#include <algorithm>

#include "snellen/base/error.h"
#include "snellen/base/version.h"
#include "snellen/models/checkpoint/checkpoint.h"

namespace snellen::models {

bool Architecture::reads(const Checkpoint& checkpoint) const {
  const std::vector<std::string>& types = facts().model_types;
  return std::find(types.begin(), types.end(), checkpoint.model_type()) != types.end();
}

NetworkModule::NetworkModule(const std::filesystem::path& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = dlerror();
    throw Error{ErrorCode::kNotFound,
                reason ? reason : "cannot be loaded",
                file.string(),
                "run `snellen doctor`; checkpoint folders need the build with torch"};
  }
  using Open = void (*)(NetworkModuleDoor&);
  auto open = reinterpret_cast<Open>(dlsym(library, "snellen_open_networks"));
  if (!open) throw Error{ErrorCode::kInvalidInput, "is no module of snellen", file.string()};
  NetworkModuleDoor door{};
  open(door);
  if (door.revision != revision()) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("was built from revision {}, this program from {}", door.revision, revision()),
        file.string(),
        "run ./dev build"};
  }
  torch_ = std::move(door.torch);
  architectures_ = std::move(door.architectures);
  stage_ = door.stage;
  stage_bytes_ = door.stage_bytes;
  is_out_of_memory_ = door.is_out_of_memory;
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
