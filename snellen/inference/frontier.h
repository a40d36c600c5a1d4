// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <utility>

#include "snellen/inference/table.h"

namespace snellen::inference {

// How far the work ahead has come: visuals and texts below the frontier are ready. Safe from many
// threads.
class Frontier {
 public:
  struct Needs {
    uint32_t visuals = 0;  // all below this number
    uint32_t texts = 0;
  };

  void advance(const Job& job) {
    {
      std::lock_guard lock(mutex_);
      (job.kind == Job::Kind::kVisuals ? visuals_ : texts_) = job.end;
    }
    changed_.notify_all();
  }
  // No more will come; `failure` is null when the work was stopped.
  void close(std::exception_ptr failure) {
    {
      std::lock_guard lock(mutex_);
      is_closed_ = true;
      failure_ = std::move(failure);
    }
    changed_.notify_all();
  }
  // For new work, when nobody waits.
  void reset() {
    std::lock_guard lock(mutex_);
    visuals_ = 0;
    texts_ = 0;
    is_closed_ = false;
    failure_ = nullptr;
  }
  // False when the work was stopped before it came there; throws what ended it.
  bool wait(const Needs& needs) const {
    auto is_ready = [&] { return visuals_ >= needs.visuals && texts_ >= needs.texts; };
    if (is_ready()) return true;
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_closed_ || is_ready(); });
    if (is_ready()) return true;
    if (failure_) std::rethrow_exception(failure_);
    return false;
  }

 private:
  mutable std::mutex mutex_;  // guards the rest; the two counts are written under it
  mutable std::condition_variable changed_;
  std::atomic<uint32_t> visuals_ = 0;
  std::atomic<uint32_t> texts_ = 0;
  bool is_closed_ = false;
  std::exception_ptr failure_;
};

}  // namespace snellen::inference
