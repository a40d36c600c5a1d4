// SPDX-License-Identifier: Apache-2.0
// A training from settings to summary: opens the model folder and the samples, goes on from a
// checkpoint where there is one, trains, evaluates and writes the model.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "snellen/dist/group.h"
#include "snellen/inference/session.h"
#include "snellen/training/loop/trainer.h"
#include "snellen/training/probe_tasks.h"
#include "snellen/training/setup.h"

namespace snellen::training {

// What the library does not look for itself.
struct SessionRequest {
  dist::Group& group;
  std::optional<int> gpu;  // that the device `cuda` means; nothing: the first
  inference::Installation installation;
  std::vector<ProbeTask> probes;

  // Asked after every step; a training that is stopped keeps a checkpoint.
  std::function<bool()> is_stopped = [] { return false; };
  // These are called in rank 0 alone.
  std::function<void(const TrainingProgress&)> on_progress = [](const TrainingProgress&) {};
  ObserveEvaluation on_asked = [](uint64_t, uint64_t) {};  // while it evaluates
  std::function<void()> on_evaluation = [] {};             // when it is in the log
};

// One training. The output folder is locked while it runs: a second one on it throws kBusy.
class Session {
 public:
  explicit Session(SessionRequest request) : request_(std::move(request)) {}

  TrainingSummary train(const TrainSettings& settings);
  TrainingSummary finetune(const FinetuneSettings& settings);

 private:
  TrainingSummary run(const TrainingSettings& settings, TrainingSetup setup);
  std::unique_ptr<const Probes> make_probes(const TrainingSettings& settings,
                                            const TrainingSetup& setup);
  unsigned threads_of(unsigned asked) const;

  SessionRequest request_;
};

}  // namespace snellen::training
