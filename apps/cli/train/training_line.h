// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "snellen/training/loop/trainer.h"

namespace snellen::cli {

// Draws a training's progress on stderr when that is a terminal: loss, rate, time left.
class TrainingLine {
 public:
  TrainingLine();
  ~TrainingLine();
  TrainingLine(const TrainingLine&) = delete;
  TrainingLine& operator=(const TrainingLine&) = delete;

  void draw(const training::TrainingProgress& progress);
  // Of an evaluation between two steps.
  void draw_evaluation(uint64_t done, uint64_t total);

 private:
  // Whether a line is wanted now; then it is begun.
  bool is_due();

  bool is_terminal_;
  bool is_drawn_ = false;
  std::chrono::steady_clock::time_point last_;
  std::chrono::steady_clock::time_point evaluation_begin_;
};

}  // namespace snellen::cli
