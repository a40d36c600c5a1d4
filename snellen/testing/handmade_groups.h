// SPDX-License-Identifier: Apache-2.0
// Probe-C groups for the tests of whole runs.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace snellen::run {

// `count` groups separated by commas: first pictures 0 .. num_first - 1 over and over, second ones
// from `second_begin` on.
inline std::string handmade_groups(uint64_t count, uint64_t num_first, uint64_t second_begin) {
  std::string groups;
  for (uint64_t i = 0; i < count; ++i) {
    groups += fmt::format(
        R"({}{{"img1_id": "{}", "img2_id": {}, "img1_prompt": "a", "img2_prompt": "b", "img1_composition": "red"}})",
        i > 0 ? "," : "",
        i % num_first,
        second_begin + i);
  }
  return groups;
}

}  // namespace snellen::run
