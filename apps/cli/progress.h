// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "snellen/run/engine/engine.h"

namespace snellen::cli {

// Draws a run's progress on stderr when that is a terminal and the run takes longer than two
// seconds.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void draw(const run::Progress& progress);
  // A line above the one that is drawn; from any thread.
  void say(std::string_view line) const;

 private:
  bool is_terminal_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

// The line for a terminal of `width` columns: share, counts, time left, rate, and what else fits.
std::string progress_text(const run::Progress& progress, size_t width);

// "1 h 05 min", "2 min 10 s", "8 s".
std::string shown_time(double seconds);

}  // namespace snellen::cli
