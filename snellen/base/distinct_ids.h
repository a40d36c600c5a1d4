// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/base/content_key.h"
#include "snellen/base/error.h"

namespace snellen {

// Gives distinct contents the numbers 0, 1, 2 in the order they come. Holds keys, not contents: at
// most 48 bytes each, whatever their size, in tables that caches hold longer than one with the keys
// in its slots. One thread at a time; const methods from many.
class DistinctIds {
 public:
  struct Added {
    uint32_t id;
    bool is_new;
  };
  Added add(const ContentKey& key) {
    size_t at = slot_of(key);
    if (slots_[at] != kAbsent) return {slots_[at], false};
    SNELLEN_CHECK(keys_.size() < kAbsent);
    const auto id = static_cast<uint32_t>(keys_.size());
    slots_[at] = id;
    keys_.push_back(key);
    if (2 * keys_.size() > slots_.size()) grow();
    return {id, true};
  }
  // kAbsent when it was never added.
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;
  uint32_t find(const ContentKey& key) const { return slots_[slot_of(key)]; }
  size_t size() const { return keys_.size(); }

 private:
  // Where the key is, or would be.
  size_t slot_of(const ContentKey& key) const {
    const size_t mask = slots_.size() - 1;
    size_t at = key.low & mask;
    while (slots_[at] != kAbsent && keys_[slots_[at]] != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(2 * slots_.size(), kAbsent);
    for (size_t id = 0; id < keys_.size(); ++id)
      slots_[slot_of(keys_[id])] = static_cast<uint32_t>(id);
  }

  std::vector<ContentKey> keys_;                           // by number
  std::vector<uint32_t> slots_{std::vector(16, kAbsent)};  // numbers; their count is a power of two
};

}  // namespace snellen
