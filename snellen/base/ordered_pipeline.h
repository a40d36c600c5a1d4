// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace snellen {

// Makes results 0..count-1 on several threads and hands them to `take` on the calling thread
// strictly in order, with at most a few results per thread waiting: memory does not grow with
// count, and what is taken does not depend on the number of threads. The lowest-numbered exception
// is rethrown after the results before it were taken. `is_stopped` is asked before each new result;
// what was already begun is still taken. Goes on with fewer threads when the system gives no more,
// and on the calling thread alone when it gives none.
template <typename T>
void ordered_pipeline(uint64_t count,
                      unsigned num_threads,
                      const std::function<T(uint64_t)>& make,
                      const std::function<void(T&&)>& take,
                      const std::function<bool()>& is_stopped) {
  struct Made {
    std::optional<T> value;
    std::exception_ptr failure;
  };
  std::mutex mutex;  // guards all of the following
  std::condition_variable has_room, has_next;
  std::map<uint64_t, Made> waiting;
  std::vector<Made>
      spent;  // what was taken, freed where it was made: the taker is the narrow place
  uint64_t next_to_make = 0;
  uint64_t next_to_take = 0;
  uint64_t end = count;       // lowered when stopped, or by a failure
  std::exception_ptr broken;  // a failure that belongs to no result
  const uint64_t window = uint64_t{4} * num_threads;

  auto make_all = [&] {
    while (true) {
      std::unique_lock lock(mutex);
      has_room.wait(lock,
                    [&] { return next_to_make >= end || next_to_make < next_to_take + window; });
      if (next_to_make < end && is_stopped()) end = next_to_make;
      if (next_to_make >= end) return;
      uint64_t index = next_to_make++;
      std::vector<Made> to_free = std::exchange(spent, {});
      lock.unlock();
      to_free.clear();
      Made made;
      try {
        made.value.emplace(make(index));
      } catch (...) {
        made.failure = std::current_exception();
      }
      lock.lock();
      if (made.failure) end = std::min(end, index + 1);
      waiting.emplace(index, std::move(made));
      if (index == next_to_take) has_next.notify_one();
    }
  };
  auto work = [&] {
    try {
      make_all();
    } catch (...) {  // is_stopped() failed, or there was no memory for keeping a result
      std::lock_guard lock(mutex);
      end = 0;
      if (!broken) broken = std::current_exception();
    }
    // The others see the end too.
    has_room.notify_all();
    has_next.notify_one();
  };

  std::vector<std::jthread> workers;
  auto stop_workers = [&] {
    {
      std::lock_guard lock(mutex);
      end = 0;
    }
    has_room.notify_all();
    workers.clear();
  };
  try {
    // A system that gives fewer threads than asked for slows the work down and does not end it.
    workers.reserve(num_threads);
    try {
      while (workers.size() < num_threads) workers.emplace_back(work);
    } catch (const std::system_error&) {
      if (workers.empty()) {
        for (uint64_t index = 0; index < count && !is_stopped(); ++index) take(make(index));
        return;
      }
    }
    while (true) {
      std::unique_lock lock(mutex);
      has_next.wait(lock, [&] { return next_to_take >= end || waiting.contains(next_to_take); });
      auto found = waiting.find(next_to_take);
      if (found == waiting.end()) {
        if (broken) std::rethrow_exception(broken);
        break;
      }
      Made made = std::move(found->second);
      waiting.erase(found);
      ++next_to_take;
      lock.unlock();
      has_room.notify_one();
      if (made.failure) std::rethrow_exception(made.failure);
      take(std::move(*made.value));
      lock.lock();
      spent.push_back(std::move(made));
    }
  } catch (...) {
    stop_workers();
    throw;
  }
  stop_workers();
}

}  // namespace snellen
