// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace snellen::cli {

// Lets numbered workers through one after the other, for what must happen in order in the midst of
// work that need not.
class WorkerOrder {
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

// What one worker does in order. The next is let through when this goes out of scope, also when the
// worker never used it.
class OrderedSection {
 public:
  OrderedSection(WorkerOrder& order, uint64_t number) : order_(order), number_(number) {}
  ~OrderedSection() {
    order_.wait_for(number_);
    order_.pass();
  }
  OrderedSection(const OrderedSection&) = delete;
  OrderedSection& operator=(const OrderedSection&) = delete;

  void wait() { order_.wait_for(number_); }

 private:
  WorkerOrder& order_;
  uint64_t number_;
};

}  // namespace snellen::cli
