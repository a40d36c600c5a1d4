// SPDX-License-Identifier: Apache-2.0
// A VisDial file in few lines: every round has the candidates answer 0 to answer 99.
#pragma once

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "snellen/base/files.h"

namespace snellen {

// Dialogs of images 7, 8, ... with two rounds each; the recorded answer of round r of dialog d is
// answer 10 * d + r.
inline std::filesystem::path write_small_dialogs(const std::filesystem::path& path,
                                                 size_t num_dialogs = 2) {
  std::string answers;
  std::string options;
  for (int i = 0; i < 100; ++i) {
    answers += fmt::format("{}\"answer {}\"", i == 0 ? "" : ", ", i);
    options += fmt::format("{}{}", i == 0 ? "" : ", ", i);
  }
  std::string dialogs;
  for (size_t d = 0; d < num_dialogs; ++d) {
    std::string rounds;
    for (size_t r = 0; r < 2; ++r)
      rounds += fmt::format(
          "{}{{\"question\": {}, \"answer\": {}, \"answer_options\": [{}], \"gt_index\": {}}}",
          r == 0 ? "" : ", ",
          r,
          10 * d + r,
          options,
          10 * d + r);
    dialogs += fmt::format("{}{{\"image_id\": {}, \"caption\": \"a dog\", \"dialog\": [{}]}}",
                           d == 0 ? "" : ", ",
                           7 + d,
                           rounds);
  }
  write_text_file(path,
                  fmt::format("{{\"version\": \"1.0\", \"split\": \"val2018\", \"data\": "
                              "{{\"questions\": [\"is it sunny?\", \"what color is it?\"], "
                              "\"answers\": [{}], \"dialogs\": [{}]}}}}",
                              answers,
                              dialogs));
  return path;
}

}  // namespace snellen
