// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "snellen/builders/building.h"

namespace snellen::builders {

// build.json beside a built set: what made it, from what, and what came out. `build check` reads it
// to find the sources again. Same inputs, same bytes.
struct BuildRecord {
  using Entries = std::vector<std::pair<std::string, std::string>>;

  std::string builder;  // "probe-r"
  Entries options;      // as the flags would be written
  Entries sources;      // what -> absolute path
  Entries sha256 = {};  // of the sources that are files whose content decides what is built
  std::vector<Count> counts = {};
  std::vector<int64_t> skipped_image_ids = {};  // candidates that gave no group
  uint64_t num_bad_records = 0;
  bool is_complete = true;  // false while it is being built

  void write(const std::filesystem::path& folder) const;
  // Throws kNotFound, or kInvalidInput for anything but such a file.
  static BuildRecord read(const std::filesystem::path& folder);

  // The value, empty when it is not there.
  std::string option(std::string_view name) const;
  std::filesystem::path source(std::string_view name) const;
  // The first builder, option or source in which the other differs, as "name: ours, theirs"; empty
  // when there is none. A source with a digest in both is compared by its content, not by its path.
  std::string first_difference(const BuildRecord& other) const;
};

inline constexpr const char* kBuildRecordName = "build.json";

// The last step of a build: the record with what the report counted, and beside it NOTICE.txt with
// the licences of the published files the set is made from, written and named in the report. A
// build from which nothing came leaves neither record nor files, so that its folder is free for the
// corrected command.
void write_record(BuildRecord record, const std::filesystem::path& folder, BuildReport& report);

}  // namespace snellen::builders
