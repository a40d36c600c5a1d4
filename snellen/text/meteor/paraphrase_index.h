// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "snellen/text/meteor/hash_mix.h"
#include "snellen/text/meteor/index_file.h"

namespace snellen::text::meteor {

inline constexpr IndexFormat kParaphraseFormat{/*kind=*/0x50415250, /*version=*/1};

// The sections of the index, in file order.
enum ParaphraseSection : size_t {
  kParaphraseCounts,     // u32: words, phrases, keys, 1 when word ids take 32 bits
  kParaphraseWordText,   // the words' bytes, one after the other
  kParaphraseWordEnds,   // u32 per word + 1: where each begins and ends
  kParaphraseWordSlots,  // u64, open addressing: upper half of the hash, word id + 1; 0 is free
  kParaphraseLongest,    // u16 per word: words in the longest phrase that starts with it
  kParaphraseWords,      // u16 or u32: the phrases' word ids, one after the other
  kParaphraseEnds,       // u32 per phrase + 1
  kParaphraseSlots,      // u64, likewise for phrases
  kParaphrasePairEnds,   // u32 per key + 1; keys are the first phrases
  kParaphrasePairs,      // u32: the paraphrases of each key in table order
  kParaphraseFilter,     // u64: each key has a Bloom filter over its paraphrases, four bits in one
                         // word each
};

// A paraphrase table ready for lookups. Const methods are safe from many threads. A damaged body
// gives wrong answers but never an access outside the index.
class ParaphraseIndex {
 public:
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  // Throws kInvalidInput when the sections do not fit together.
  explicit ParaphraseIndex(IndexFile file);

  size_t num_words() const { return num_words_; }
  size_t num_phrases() const { return num_phrases_; }
  size_t num_keys() const { return num_keys_; }
  size_t num_pairs() const { return pairs_.size(); }
  // SHA-256 of the table file.
  const std::string& source_sha256() const { return file_.source_sha256(); }

  uint32_t word_id(std::string_view word) const;
  // Words in the longest phrase that starts with this word.
  uint32_t longest_from(uint32_t word) const { return word < longest_.size() ? longest_[word] : 0; }
  // `hash` is extend_hash over all words, from 0.
  uint32_t find_phrase(std::span<const uint32_t> words, uint64_t hash) const;
  bool is_key(uint32_t phrase) const { return phrase < num_keys_; }
  std::span<const uint32_t> paraphrases(uint32_t key) const;
  // The part of the filter that belongs to a key; empty for any other phrase.
  struct KeyFilter {
    uint32_t begin = 0;
    uint32_t size = 0;
  };
  KeyFilter filter_of(uint32_t phrase) const;
  // False: the key has no such paraphrase. True: it nearly always has; paraphrases() knows.
  // `filter` is not empty.
  bool may_hold(KeyFilter filter, uint64_t hash_of_phrase) const {
    uint64_t bits = filter_bits(hash_of_phrase);
    return (filter_[filter.begin + filter_place(filter, hash_of_phrase)] & bits) == bits;
  }

  // How the builder fills the filter: sixteen bits a pair and one word more, so that the pairs'
  // places tell the filter's.
  static KeyFilter filter_at(uint32_t key, uint32_t pairs_begin, uint32_t pairs_end) {
    return {pairs_begin / 4 + key, pairs_end / 4 - pairs_begin / 4 + 1};
  }
  static uint64_t filter_place(KeyFilter filter, uint64_t hash) {
    return (hash >> 32) * filter.size >> 32;
  }
  static uint64_t filter_bits(uint64_t hash) {
    return uint64_t{1} << (hash & 63) | uint64_t{1} << (hash >> 6 & 63) |
           uint64_t{1} << (hash >> 12 & 63) | uint64_t{1} << (hash >> 18 & 63);
  }

 private:
  template <typename Id>
  bool equals(std::span<const Id> stored, uint32_t phrase, std::span<const uint32_t> words) const;

  IndexFile file_;
  size_t num_words_ = 0;
  size_t num_phrases_ = 0;
  size_t num_keys_ = 0;
  bool is_wide_ = false;
  std::span<const char> word_text_;
  std::span<const uint32_t> word_ends_;
  std::span<const uint64_t> word_slots_;
  std::span<const uint16_t> longest_;
  std::span<const uint16_t> narrow_words_;
  std::span<const uint32_t> wide_words_;
  std::span<const uint32_t> phrase_ends_;
  std::span<const uint64_t> phrase_slots_;
  std::span<const uint32_t> pair_ends_;
  std::span<const uint32_t> pairs_;
  std::span<const uint64_t> filter_;
};

}  // namespace snellen::text::meteor
