// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace snellen::stats {
namespace {

// Ranges small enough that a slow thread holds up the others only briefly.
constexpr uint64_t kRangeLength = 16;

struct Failure {
  std::mutex mutex;  // guards the two below
  std::exception_ptr exception;
  uint64_t range = 0;
};

}  // namespace

void for_ranges(uint64_t count,
                unsigned num_threads,
                const std::function<void(uint64_t first, uint64_t last)>& work) {
  const uint64_t num_ranges = (count + kRangeLength - 1) / kRangeLength;
  std::atomic<uint64_t> next{0};
  Failure failure;
  auto take_ranges = [&] {
    for (uint64_t range = next++; range < num_ranges; range = next++) {
      try {
        work(range * kRangeLength, std::min(count, (range + 1) * kRangeLength));
      } catch (...) {
        // Ranges are taken in order, so every lower one has been started and will report before the
        // join.
        std::lock_guard lock(failure.mutex);
        if (!failure.exception || range < failure.range) {
          failure.exception = std::current_exception();
          failure.range = range;
        }
        next = num_ranges;
      }
    }
  };
  {
    std::vector<std::jthread> helpers;
    uint64_t num_workers = std::min<uint64_t>(std::max(1U, num_threads), num_ranges);
    try {
      for (uint64_t i = 1; i < num_workers; ++i) helpers.emplace_back(take_ranges);
    } catch (const std::system_error&) {
      // The system has no more threads: those that started, and this one, do the work.
    }
    take_ranges();
  }
  if (failure.exception) std::rethrow_exception(failure.exception);
}

}  // namespace snellen::stats
