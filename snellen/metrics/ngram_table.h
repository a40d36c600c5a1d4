// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace snellen::metrics {

// N-grams as numbers: an n-gram is its first n-1 words' number and its last word's, so each costs
// one look-up whatever its length, and equality is exact. Words are numbered first, 0 .. num_words
// - 1; longer n-grams go on from there. Const methods are safe from many threads.
class NgramTable {
 public:
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;

  // Numbers of longer n-grams start here; called once, before add().
  void start(uint32_t num_words);
  uint32_t add(uint32_t prefix, uint32_t word);
  uint32_t find(uint32_t prefix, uint32_t word) const {
    return slots_[slot_of(key_of(prefix, word))].id;
  }
  // Words and n-grams together.
  uint32_t size() const { return size_; }

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

  uint32_t num_words_ = 0;
  uint32_t size_ = 0;
  int shift_ = 60;
  std::vector<Slot> slots_ = std::vector<Slot>(16);
};

}  // namespace snellen::metrics
