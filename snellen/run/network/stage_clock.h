// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <utility>

namespace snellen::run {

// How long a stage of a run was at work: the time in which at least one thread was in it, and the
// time of all threads together. Safe from many threads.
class StageClock {
 public:
  // While it lives, the calling thread is in the stage.
  class Inside {
   public:
    explicit Inside(StageClock& clock) : clock_(clock), begin_(Clock::now()) {
      clock_.enter(begin_);
    }
    ~Inside() { clock_.leave(begin_, Clock::now()); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    StageClock& clock_;
    std::chrono::steady_clock::time_point begin_;
  };

  double busy_seconds() const {
    std::lock_guard lock(mutex_);
    return seconds(busy_ + (num_inside_ > 0 ? Clock::now() - busy_since_ : Clock::duration{}));
  }
  double thread_seconds() const {
    std::lock_guard lock(mutex_);
    return seconds(total_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static double seconds(Clock::duration time) {
    return std::chrono::duration<double>(time).count();
  }
  void enter(Clock::time_point now) {
    std::lock_guard lock(mutex_);
    if (num_inside_++ == 0) busy_since_ = now;
  }
  void leave(Clock::time_point begin, Clock::time_point now) {
    std::lock_guard lock(mutex_);
    total_ += now - begin;
    if (--num_inside_ == 0) busy_ += now - busy_since_;
  }

  mutable std::mutex mutex_;  // guards the rest
  int num_inside_ = 0;
  Clock::time_point busy_since_;
  Clock::duration busy_{};
  Clock::duration total_{};
};

// The stages of a model's work ahead.
struct Stages {
  StageClock reading;  // files into pixels, texts into tokens
  StageClock network;
};

template <typename Work>
auto timed(StageClock& clock, Work work) {
  StageClock::Inside inside(clock);
  return work();
}

}  // namespace snellen::run
