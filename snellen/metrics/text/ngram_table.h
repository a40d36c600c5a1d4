// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace snellen::metrics {

// N-grams of two words and more as numbers: an n-gram is the number of its first n-1 words and that
// of its last one, so each costs one look-up whatever its length, and equality is exact. Numbers
// have their top bit set, those of words (the callers') have not; n-grams count up from kFirst in
// the order they came. Const methods are safe from many threads.
class NgramTable {
 public:
  static constexpr uint32_t kFirst = 0x80000000;
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;

  // Throws kInvalidInput after two billion.
  uint32_t add(uint32_t prefix, uint32_t word);
  uint32_t find(uint32_t prefix, uint32_t word) const {
    return slots_[slot_of(key_of(prefix, word))].id;
  }
  size_t size() const { return keys_.size(); }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t id = kAbsent;
  };
  static uint64_t key_of(uint32_t prefix, uint32_t word) { return uint64_t{prefix} << 32 | word; }
  size_t slot_of(uint64_t key) const {
    // Fibonacci hashing: the upper bits of the product are the well mixed ones.
    size_t at = (key * 0x9E3779B97F4A7C15u ^ (key >> 32)) * 0xD6E8FEB86659FD93u >> shift_;
    while (slots_[at].id != kAbsent && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow();

  std::vector<uint64_t> keys_;
  int shift_ = 60;
  std::vector<Slot> slots_ = std::vector<Slot>(16);
};

}  // namespace snellen::metrics
