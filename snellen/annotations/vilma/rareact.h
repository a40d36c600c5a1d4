// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::annotations {

// A row of RareAct's rareact.csv that is used: its clip does show the action.
struct RareActRow {
  int64_t id = 0;
  std::string video_id;  // of YouTube
  int64_t start_s = 0;
  int64_t end_s = 0;
  std::string verb;  // "drill"
  std::string noun;  // "eggs"
};

struct RareActFile {
  std::vector<RareActRow> rows;    // those with annotation 1, in file order
  std::vector<Error> bad_records;  // rows that cannot be used: counted and named by the builder
};

// Reads the columns id, video_id, start, end, verb, noun and annotation, in any order beside any
// others. Throws kNotFound, and kInvalidInput when a column is missing or the file is no table.
RareActFile read_rareact(const std::filesystem::path& path);

}  // namespace snellen::annotations
