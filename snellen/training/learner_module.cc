// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learner_module.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/version.h"

namespace snellen::training {

LearnerModule::LearnerModule(const std::filesystem::path& file) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = dlerror();
    throw Error{ErrorCode::kNotFound,
                reason ? reason : "cannot be loaded",
                file.string(),
                "run `snellen doctor`; training needs the build with torch"};
  }
  using Open = void (*)(LearnerModuleDoor&);
  auto open = reinterpret_cast<Open>(dlsym(library, "snellen_open_learners"));
  if (!open) throw Error{ErrorCode::kInvalidInput, "holds no learners", file.string()};
  LearnerModuleDoor door;
  open(door);
  if (door.revision != revision()) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("was built from revision {}, this program from {}", door.revision, revision()),
        file.string(),
        "run ./dev build"};
  }
  make_ = door.make_learner;
}

}  // namespace snellen::training
