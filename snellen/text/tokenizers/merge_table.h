// SPDX-License-Identifier: Apache-2.0
// BPE merges: a pair of tokens to its rank and the token it makes. Open addressing over packed
// pairs, because this is the inner loop of BPE. Built once, then const and safe from many threads.
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/text/tokenizers/vocabulary.h"

namespace snellen::text {

class MergeTable {
 public:
  static constexpr uint32_t kNoRank = UINT32_MAX;
  struct Merge {
    uint32_t rank = kNoRank;  // lower goes first
    TokenId merged = Vocabulary::kAbsent;
  };

  explicit MergeTable(size_t num_merges = 0);
  // A pair that is there takes the new rank, as in the published readers. No more than
  // `num_merges` of them.
  void set(TokenId left, TokenId right, Merge merge);
  Merge find(TokenId left, TokenId right) const {
    uint64_t key = key_of(left, right);
    for (size_t slot = slot_of(key);; slot = (slot + 1) & mask_) {
      if (slots_[slot].key == key) return slots_[slot].merge;
      if (slots_[slot].key == kFree) return {};
    }
  }

 private:
  struct Slot {
    uint64_t key;
    Merge merge;
  };
  static constexpr uint64_t kFree = UINT64_MAX;  // no pair: ids are not negative

  static uint64_t key_of(TokenId left, TokenId right) {
    return uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
  }
  size_t slot_of(uint64_t key) const {
    // Fibonacci hashing: the high bits of the product depend on every bit of the key.
    return static_cast<size_t>((key ^ key >> 29) * 0x9E3779B97F4A7C15U >> shift_);
  }

  std::vector<Slot> slots_;
  size_t mask_ = 0;
  int shift_ = 63;
};

}  // namespace snellen::text
