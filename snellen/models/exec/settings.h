// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "snellen/config/option.h"

namespace snellen::models::exec {

// How many frames a clip is cut to where the user does not say.
inline constexpr int64_t kUsualFrames = 8;

// The settings of a program that is asked, and of requests that are written for one to answer
// later.
struct ExecSettings {
  double timeout_s = 60;
  double start_timeout_s = 600;
  unsigned max_restarts = 3;
  size_t max_in_flight = 64;
  std::optional<int64_t> frames;
  bool wants_rows = false;       // of requests that are written: one visual or one text each
  size_t texts_per_request = 0;  // of requests that are written; 0: all of a question
};

std::vector<config::Option> exec_options();

}  // namespace snellen::models::exec
