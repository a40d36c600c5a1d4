// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>

#include "snellen/training/probes/evaluation.h"

namespace snellen::training {

// train.jsonl of a training: a line per step, flushed now and then, and a line per evaluation. One
// thread at a time.
class TrainingLog {
 public:
  // Continues after `num_steps` steps: what an interrupted process wrote beyond them goes.
  TrainingLog(std::filesystem::path file, uint64_t num_steps);
  ~TrainingLog() { out_.flush(); }
  TrainingLog(const TrainingLog&) = delete;
  TrainingLog& operator=(const TrainingLog&) = delete;

  void add_step(uint64_t step,
                const StepReport& report,
                double learning_rate,
                double samples_per_second);
  void add_evaluation(uint64_t step, const EvaluationReport& evaluation);
  // Throws kIo when the disk is full.
  void flush();

 private:
  void write(const std::string& line);

  std::filesystem::path file_;
  std::ofstream out_;
  size_t num_unflushed_ = 0;
};

}  // namespace snellen::training
