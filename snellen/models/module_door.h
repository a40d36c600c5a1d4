// SPDX-License-Identifier: Apache-2.0
// What every door of the module with the networks needs: the entry of a name, from the same
// sources.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace snellen::models {

struct DoorNames {
  const char* entry;        // the exported function
  const char* needed_by;    // "training needs"
  const char* when_absent;  // what a file without the entry is
};

// The address of the entry; the module stays in the process for good. Throws kNotFound when the
// file is not there or lacks a library, kInvalidInput when it has no such entry.
void* module_entry(const std::filesystem::path& file, const DoorNames& names);

// Throws kInvalidInput when the module was built from other sources than this program.
void expect_same_revision(std::string_view theirs, const std::filesystem::path& file);

// Opens a door: a struct with the module's revision that the entry fills.
template <typename Door>
Door open_door(const std::filesystem::path& file, const DoorNames& names) {
  Door door{};
  reinterpret_cast<void (*)(Door&)>(module_entry(file, names))(door);
  expect_same_revision(door.revision, file);
  return door;
}

}  // namespace snellen::models
