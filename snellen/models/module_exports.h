// SPDX-License-Identifier: Apache-2.0
// What every exports of the module with the networks needs: the entry of a name, from the same
// sources.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace snellen::models {

struct ExportNames {
  const char* entry;        // the exported function
  const char* needed_by;    // "training needs"
  const char* when_absent;  // what a file without the entry is
};

// The address of the entry; the module stays in the process for good. Throws kNotFound when the
// file is not there or lacks a library, kInvalidInput when it has no such entry.
void* module_entry(const std::filesystem::path& file, const ExportNames& names);

// Throws kInvalidInput when the module was built from other sources than this program.
void expect_same_revision(std::string_view theirs, const std::filesystem::path& file);

// Opens a exports: a struct with the module's revision that the entry fills.
template <typename Exports>
Exports open_exports(const std::filesystem::path& file, const ExportNames& names) {
  Exports exports{};
  reinterpret_cast<void (*)(Exports&)>(module_entry(file, names))(exports);
  expect_same_revision(exports.revision, file);
  return exports;
}

}  // namespace snellen::models
