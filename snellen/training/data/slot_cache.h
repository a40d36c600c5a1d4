// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "snellen/base/error.h"

namespace snellen::training {

// Things that were made once and are wanted again every epoch, up to a number of bytes; beyond it
// they are made each time. Safe from many threads, without locks: two threads that want the same
// thing at the same moment both make it.
template <typename T>
class SlotCache {
 public:
  SlotCache(uint64_t num_slots, uint64_t max_bytes)
      : num_slots_(num_slots),
        slots_(std::make_unique<Slot[]>(num_slots)),
        bytes_left_(static_cast<int64_t>(max_bytes)) {}

  // `make` gives the thing, `bytes_of` what it takes.
  T get(uint64_t slot,
        const std::function<T()>& make,
        const std::function<uint64_t(const T&)>& bytes_of) const {
    SNELLEN_CHECK(slot < num_slots_);
    Slot& kept = slots_[slot];
    if (kept.state.load(std::memory_order_acquire) == kFull) return kept.value;
    T value = make();
    auto size = static_cast<int64_t>(bytes_of(value));
    uint8_t expected = kEmpty;
    if (bytes_left_.load(std::memory_order_relaxed) < size) return value;
    if (!kept.state.compare_exchange_strong(expected, kFilling, std::memory_order_relaxed))
      return value;
    bytes_left_.fetch_sub(size, std::memory_order_relaxed);
    kept.value = value;
    kept.state.store(kFull, std::memory_order_release);
    return value;
  }

 private:
  enum State : uint8_t { kEmpty, kFilling, kFull };
  struct Slot {
    std::atomic<uint8_t> state = kEmpty;
    T value;
  };
  uint64_t num_slots_;
  std::unique_ptr<Slot[]> slots_;
  mutable std::atomic<int64_t> bytes_left_;
};

}  // namespace snellen::training
