// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "snellen/training/trainer.h"

namespace snellen::cli {

// Draws a training's progress on stderr when that is a terminal: loss, rate, time left.
class TrainingLine {
 public:
  TrainingLine();
  ~TrainingLine();
  TrainingLine(const TrainingLine&) = delete;
  TrainingLine& operator=(const TrainingLine&) = delete;

  void draw(const training::TrainingProgress& progress);

 private:
  bool is_terminal_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace snellen::cli
