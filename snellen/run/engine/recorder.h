// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "snellen/models/model.h"
#include "snellen/run/control/ladder.h"
#include "snellen/run/engine/background_writer.h"
#include "snellen/run/engine/duplicates.h"
#include "snellen/run/engine/engine.h"

namespace snellen::run {

// Takes scored batches and commits them to the store, beside the run's thread. One thread at a
// time.
class Recorder {
 public:
  Recorder(LadderSamples& samples,
           const models::Model& model,
           const RunRequest& request,
           bool fails_fast,
           Progress progress,
           DuplicateGuard guard);

  // `is_open` tells for every task whether it still has items to come; called with what was taken
  // committed, when a task has ended and others go on.
  using OnTaskEnd = std::function<void(const std::vector<bool>& is_open)>;
  void watch_tasks(std::vector<uint64_t> num_open, OnTaskEnd on_end);

  // Throws the first failure of the batch, after it was committed, where the run fails fast.
  void take(std::vector<store::Sample>&& batch);

  void commit_if_due();
  // All is there when it returns.
  void commit();
  // After a failure, which is the one to be told.
  void try_to_commit() noexcept;

  const Progress& progress() const { return progress_; }

 private:
  using Clock = std::chrono::steady_clock;
  void hand_over();
  void end_task();
  void tell();
  void tell_now_and_then(const std::stop_token& stopped) noexcept;

  const models::Model& model_;
  const RunRequest& request_;
  DuplicateGuard guard_;
  bool fails_fast_;
  std::mutex mutex_;  // guards progress_, and lets one thread at a time tell it
  Progress progress_;
  std::vector<store::Sample> rows_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_commit_ = Clock::now();
  std::vector<uint64_t> num_open_;  // by task
  OnTaskEnd on_task_end_;
  BackgroundWriter writer_;
  std::jthread teller_;  // last: joined before the rest goes
};

}  // namespace snellen::run
