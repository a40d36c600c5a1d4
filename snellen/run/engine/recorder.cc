// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/recorder.h"

#include <algorithm>
#include <condition_variable>
#include <system_error>
#include <utility>

#include "snellen/base/seconds_since.h"

namespace snellen::run {
namespace {

// Rows are committed together: when there are some and the writer has nothing to do, when there are
// many, or when this much time has passed. What a killed process loses is that, and as much again
// while it is written.
constexpr size_t kFewestRowsPerCommit = 1024;
constexpr size_t kMostRowsPerCommit = 8192;
constexpr double kSecondsPerCommit = 0.5;

}  // namespace

Recorder::Recorder(LadderSamples& samples,
                   const models::Model& model,
                   const RunRequest& request,
                   bool fails_fast,
                   Progress progress,
                   DuplicateGuard guard)
    : model_(model),
      request_(request),
      guard_(std::move(guard)),
      fails_fast_(fails_fast),
      progress_(std::move(progress)),
      writer_([&samples](std::vector<store::Sample>& rows) { samples.add(rows); }) {
  if (!request_.on_progress) return;
  try {
    teller_ = std::jthread([this](const std::stop_token& stopped) { tell_now_and_then(stopped); });
  } catch (const std::system_error&) {  // it tells after every batch alone
  }
}

// A model may work for minutes before the first item is answered. Where there is no memory for
// telling, the run goes on: it tells after every batch too.
void Recorder::tell_now_and_then(const std::stop_token& stopped) noexcept {
  constexpr std::chrono::milliseconds kBetween(200);
  try {
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, stopped, kBetween, [&] { return stopped.stop_requested(); }))
      tell();
  } catch (const std::exception&) {
    return;
  }
}

void Recorder::tell() {
  std::lock_guard lock(mutex_);
  progress_.seconds = seconds_since(start_);
  progress_.limited_by = model_.limited_by();
  progress_.ahead = model_.ahead();
  request_.on_progress(progress_);
}

void Recorder::watch_tasks(std::vector<uint64_t> num_open, OnTaskEnd on_end) {
  num_open_ = std::move(num_open);
  on_task_end_ = std::move(on_end);
}

void Recorder::take(std::vector<store::Sample>&& batch) {
  std::optional<Error> failure;
  bool has_task_ended = false;
  uint64_t num_failed = 0;
  for (store::Sample& sample : batch) {
    guard_.check(sample);
    if (request_.on_sample) request_.on_sample(sample);
    has_task_ended = (on_task_end_ && --num_open_.at(sample.task) == 0) || has_task_ended;
    if (sample.status != store::SampleStatus::kScored) {
      ++num_failed;
      if (!failure) failure = sample.error;
    }
    rows_.push_back(std::move(sample));
  }
  {
    std::lock_guard lock(mutex_);
    progress_.done += batch.size();
    progress_.failed += num_failed;
  }
  commit_if_due();
  if (has_task_ended) end_task();
  if (request_.on_progress) tell();
  if (fails_fast_ && failure) {
    commit();
    throw *failure;
  }
}

void Recorder::commit_if_due() {
  const bool is_idle = writer_.is_idle();
  if ((is_idle && rows_.size() >= kFewestRowsPerCommit) || rows_.size() >= kMostRowsPerCommit ||
      seconds_since(last_commit_) >= kSecondsPerCommit)
    hand_over();
}

void Recorder::commit() {
  hand_over();
  writer_.wait();
}

void Recorder::try_to_commit() noexcept {
  try {
    commit();
  } catch (const std::exception&) {
    rows_.clear();
  }
}

void Recorder::hand_over() {
  writer_.write(std::exchange(rows_, {}));
  last_commit_ = Clock::now();
}

void Recorder::end_task() {
  std::vector<bool> is_open;
  for (uint64_t count : num_open_) is_open.push_back(count > 0);
  if (std::find(is_open.begin(), is_open.end(), true) == is_open.end()) return;
  commit();
  on_task_end_(is_open);
}

}  // namespace snellen::run
