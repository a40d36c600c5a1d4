// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/module_exports.h"

#include <dlfcn.h>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/version.h"

namespace snellen::models {

void* module_entry(const std::filesystem::path& file, const ExportNames& names) {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* reason = dlerror();
    throw Error{ErrorCode::kNotFound,
                reason ? reason : "cannot be loaded",
                file.string(),
                fmt::format("run `snellen doctor`; {} the build with torch", names.needed_by)};
  }
  void* entry = dlsym(library, names.entry);
  if (!entry) throw Error{ErrorCode::kInvalidInput, names.when_absent, file.string()};
  return entry;
}

void expect_same_revision(std::string_view theirs, const std::filesystem::path& file) {
  if (theirs == revision()) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("was built from revision {}, this program from {}", theirs, revision()),
              file.string(),
              "run ./dev build"};
}

}  // namespace snellen::models
