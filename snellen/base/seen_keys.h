// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "snellen/base/content_key.h"

namespace snellen {

// Remembers keys in 4 MB, however many come: what it has was added, but what was added may be
// forgotten. One thread adds while others ask.
class SeenKeys {
 public:
  void add(const ContentKey& key) {
    slots_[key.low % kSlots].store(tag_of(key), std::memory_order_relaxed);
  }
  bool has(const ContentKey& key) const {
    return slots_[key.low % kSlots].load(std::memory_order_relaxed) == tag_of(key);
  }

 private:
  static constexpr size_t kSlots = size_t{1} << 19;
  // An empty slot is 0. With the place, 82 bits of the key are compared.
  static uint64_t tag_of(const ContentKey& key) { return key.high | 1; }

  std::vector<std::atomic<uint64_t>> slots_ = std::vector<std::atomic<uint64_t>>(kSlots);
};

}  // namespace snellen
