// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "snellen/text/meteor/meteor_data.h"
#include "snellen/text/string_pool.h"

struct sb_stemmer;

namespace snellen::metrics::meteor {

// All that matching needs to know of a word.
struct WordFacts {
  uint32_t hash = 0;        // Java's, of the word: METEOR compares these, not the strings
  uint32_t stem_hash = 0;   // of its Snowball stem
  uint32_t table_word = 0;  // its id in the paraphrase table, kNone when it is not there
  uint32_t num_synsets = 0;
  uint64_t first_synset = 0;  // place of its synset ids
  uint64_t synset_signature =
      0;  // one bit per synset id modulo 64: words without a common bit share none
  bool is_function = false;
};

// Each distinct word is stemmed and looked up once. One thread at a time. Memory is bounded:
// forget_if_full.
class WordCache {
 public:
  explicit WordCache(std::shared_ptr<const text::meteor::MeteorData> data);
  ~WordCache();
  WordCache(WordCache&&) noexcept;
  WordCache& operator=(WordCache&&) noexcept;

  uint32_t id_of(std::string_view word);
  const WordFacts& operator[](uint32_t id) const { return facts_[id]; }
  // True when the synsets of the words with these ids have one in common.
  bool share_a_synset(uint32_t a, uint32_t b);
  bool is_full() const;
  // Forgets every word; ids given before are void.
  void clear();

 private:
  struct StemmerDeleter {
    void operator()(sb_stemmer* stemmer) const;
  };
  WordFacts facts_of(std::string_view word);
  bool intersect(const WordFacts& a, const WordFacts& b) const;

  std::shared_ptr<const text::meteor::MeteorData> data_;
  std::unique_ptr<sb_stemmer, StemmerDeleter> stemmer_;
  text::StringPool words_;
  size_t num_text_bytes_ = 0;     // of all words
  std::vector<WordFacts> facts_;  // by the word's number in words_
  std::vector<int64_t> synsets_;
  std::vector<int64_t> found_;
  std::vector<uint64_t>
      pair_answers_;  // by a hash of two ids: both ids + 1 and the answer; the last asked stays
};

}  // namespace snellen::metrics::meteor
