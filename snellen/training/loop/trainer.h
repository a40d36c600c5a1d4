// SPDX-License-Identifier: Apache-2.0
// The loop of training: batches, steps, the log, checkpoints.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "snellen/training/data/batch_maker.h"
#include "snellen/training/learner.h"
#include "snellen/training/loop/checkpoints.h"
#include "snellen/training/loop/schedule.h"
#include "snellen/training/probes/evaluation.h"

namespace snellen::training {

struct TrainingOptions {
  std::filesystem::path output;  // the model's folder at the end; log and checkpoints below it
  Schedule schedule;
  uint64_t accumulate = 1;          // batches of one step
  uint64_t checkpoint_every = 500;  // steps; 0: only when stopped
  uint64_t evaluate_every = 0;      // steps; 0: only before the first and after the last
  uint64_t patience = 0;            // evaluations without a better one that end training; 0: none
  std::string watched = "loss";     // what is to get better: the loss falls, a score rises
  bool keeps_checkpoints = false;   // when the model is there
  unsigned num_threads = 1;         // that make batches
  models::ElementType saved_type = models::ElementType::kF32;
  bool saves_average = false;
  std::string stamp;  // what decides the weights: a checkpoint of another stamp is not continued
};

struct TrainingProgress {
  uint64_t done = 0;
  uint64_t total = 0;
  uint64_t resumed = 0;
  double seconds = 0;
  double loss = 0;
  double learning_rate = 0;
  double samples_per_second = 0;
};

struct TrainingRequest {
  const BatchMaker& batches;
  uint64_t samples_per_batch = 1;
  std::vector<Batch> held_out;                               // to evaluate on; may be empty
  const Probes* probes = nullptr;                            // to evaluate on; may be null
  std::function<void(const TrainingProgress&)> on_progress;  // after every step
  std::function<bool()> is_stopped;
  ObserveEvaluation on_asked = [](uint64_t, uint64_t) {};  // while it evaluates
  std::function<void()> on_evaluation = [] {};             // when it is in the log
  bool is_writer = true;  // false on ranks that only compute: they do not evaluate either
  // What one rank decided, in all: every rank calls it at the same moment.
  std::function<bool(bool)> agree = [](bool here) { return here; };
};

struct TrainingSummary {
  bool is_complete = false;  // false: stopped, and resumable
  bool has_stopped_early = false;
  uint64_t num_parameters = 0;
  uint64_t num_steps = 0;
  uint64_t resumed = 0;
  uint64_t num_replaced = 0;  // samples that could not be read
  std::vector<std::string> reasons;
  double last_loss = 0;
  std::optional<EvaluationReport> evaluation;  // the last; nothing on ranks that only compute
  double seconds = 0;
};

// Trains until the schedule ends, and evaluates before the first step, on the way and after the
// last. Below the output are train.jsonl (a line per step: step, loss, parts, learning rate,
// gradient norm, rate; a line per evaluation) and checkpoints/step-N until the model is written.
// `companions` is the folder whose config, tokenizer and preprocessing belong to the weights.
// `resumed` is what Checkpoints::last() gave, and the learner was made from. When a loss is not
// finite it throws kMismatch naming step and batch; the last checkpoint stays.
TrainingSummary train(Learner& learner,
                      const TrainingOptions& options,
                      const TrainingRequest& request,
                      const std::filesystem::path& companions,
                      const std::optional<Checkpointed>& resumed);

}  // namespace snellen::training
