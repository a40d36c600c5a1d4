// SPDX-License-Identifier: Apache-2.0
// Short words that are one token. Filled when a tokenizer is built and never after, so it holds the
// same for every text and every thread.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/vocabulary.h"

namespace snellen::text {

class WordCache {
 public:
  static constexpr size_t kMostBytes = 16;

  // The bytes of a word as two numbers, zeros behind its end. The length tells "a" from "a\0".
  struct Key {
    uint64_t low = 0;
    uint64_t high = 0;
    uint32_t length = 0;

    bool operator==(const Key&) const = default;
  };
  // For words of at most kMostBytes.
  static Key key_of(std::string_view word) {
    Key key{.length = static_cast<uint32_t>(word.size())};
    if (word.size() <= 8) {
      std::memcpy(&key.low, word.data(), word.size());
    } else {
      std::memcpy(&key.low, word.data(), 8);
      std::memcpy(&key.high, word.data() + 8, word.size() - 8);
    }
    return key;
  }
  // As key_of, for a word with kMostBytes readable bytes behind its start: no loop, no branch.
  static Key key_of_padded(const char* word, size_t length) {
    Key key{.length = static_cast<uint32_t>(length)};
    std::memcpy(&key.low, word, 8);
    std::memcpy(&key.high, word + 8, 8);
    if (length < 8) {
      key.low &= (uint64_t{1} << (length * 8)) - 1;
      key.high = 0;
    } else if (length < 16) {
      key.high &= (uint64_t{1} << ((length - 8) * 8)) - 1;
    }
    return key;
  }

  explicit WordCache(size_t num_words = 0);
  // No more than `num_words` of them.
  void set(const Key& key, TokenId id);
  TokenId find(const Key& key) const {
    for (size_t slot = slot_of(key);; slot = (slot + 1) & mask_) {
      if (slots_[slot].key == key) return slots_[slot].id;
      if (slots_[slot].id == Vocabulary::kAbsent) return Vocabulary::kAbsent;
    }
  }

 private:
  struct Slot {
    Key key;
    TokenId id = Vocabulary::kAbsent;
  };
  size_t slot_of(const Key& key) const {
    uint64_t mixed = (key.low ^ key.low >> 32) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ key.high ^ key.length) * 0xD6E8FEB86659FD93U;
    return static_cast<size_t>(mixed >> shift_);
  }

  std::vector<Slot> slots_;
  size_t mask_ = 0;
  int shift_ = 63;
};

}  // namespace snellen::text
