// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <semaphore>
#include <utility>

namespace snellen::inference {

// How long a stage of a run was at work: the time in which at least one thread was in it, and the
// time of all threads together. At most `num_slots` threads are in it at once. Safe from many
// threads.
class StageClock {
 public:
  using Clock = std::chrono::steady_clock;

  explicit StageClock(unsigned num_slots) : slots_(static_cast<std::ptrdiff_t>(num_slots)) {}

  // While it lives, the calling thread is in the stage.
  class Inside {
   public:
    explicit Inside(StageClock& clock) : clock_(clock) {
      clock_.slots_.acquire();
      begin_ = Clock::now();
      clock_.enter(begin_);
    }
    ~Inside() {
      clock_.leave(begin_, Clock::now());
      clock_.slots_.release();
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    StageClock& clock_;
    Clock::time_point begin_;
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

  std::counting_semaphore<> slots_;
  mutable std::mutex mutex_;  // guards the rest
  int num_inside_ = 0;
  Clock::time_point busy_since_;
  Clock::duration busy_{};
  Clock::duration total_{};
};

// The stages of a model's work ahead.
struct Stages {
  Stages(unsigned num_readers, unsigned num_forwards)
      : reading(num_readers), decoding(num_forwards), network(num_forwards) {}
  StageClock reading;   // files into pixels, texts into tokens
  StageClock decoding;  // of pictures on the network's device
  StageClock network;
};

template <typename Work>
auto timed(StageClock& clock, Work work) {
  StageClock::Inside inside(clock);
  return work();
}

}  // namespace snellen::inference
