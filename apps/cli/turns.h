// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace snellen::cli {

// Lets numbered workers through one after the other, for what must happen in order in the midst of
// work that need not.
class Turns {
 public:
  void wait_for(uint64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return next_ == number; });
  }
  void pass() {
    std::unique_lock lock(mutex_);
    ++next_;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;  // guards next_
  std::condition_variable changed_;
  uint64_t next_ = 0;
};

// One worker's turn. It is passed on when this goes out of scope, also when the worker never used
// it.
class Turn {
 public:
  Turn(Turns& turns, uint64_t number) : turns_(turns), number_(number) {}
  ~Turn() {
    turns_.wait_for(number_);
    turns_.pass();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

  void wait() { turns_.wait_for(number_); }

 private:
  Turns& turns_;
  uint64_t number_;
};

}  // namespace snellen::cli
