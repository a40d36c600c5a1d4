// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/meteor/index_file.h"

namespace snellen::text::meteor {

// Gives each distinct phrase, and each distinct word in them, an id in the order they are met.
// Phrases are staged and then resolved many at once, because the lookups of millions of phrases
// wait for memory and not for the processor. One thread at a time.
class PhraseInterner {
 public:
  PhraseInterner();

  // Splits `phrase` at spaces. False, and nothing staged, when it has no word. Throws kInvalidInput
  // when it has over 65,535 words or the table more than 32 bits count.
  bool stage(std::string_view phrase);
  size_t num_staged() const { return staged_.size(); }
  // Replaces `ids` by the ids of all staged phrases, in order.
  void resolve(std::vector<uint32_t>& ids);

  size_t num_words() const { return longest_.size(); }
  size_t num_phrases() const { return phrase_ends_.size() - 1; }

  // The sections of words and phrases (see paraphrase_index.h), phrases renumbered: new_ids[id] is
  // its place.
  void write_words(IndexWriter& writer) const;
  void write_phrases(IndexWriter& writer, const std::vector<uint32_t>& new_ids) &&;

 private:
  struct Staged {
    uint64_t hash;
    uint32_t begin;  // its words in staged_words_
    uint32_t size;
  };

  uint32_t word_id(std::string_view word);
  std::string_view word_text(uint32_t id) const;
  void grow_word_slots();
  void prefetch_known(const Staged& phrase) const;
  uint32_t phrase_id(const Staged& phrase);
  void grow_phrase_slots();

  std::string word_text_;
  std::vector<uint32_t> word_ends_{0};
  std::vector<uint64_t> word_slots_;  // upper half of the hash, id + 1; 0 is free
  std::vector<uint16_t> longest_;
  std::vector<uint32_t> phrase_words_;
  std::vector<uint32_t> phrase_ends_{0};
  std::vector<uint64_t> phrase_slots_;  // likewise
  std::vector<Staged> staged_;
  std::vector<uint32_t> staged_words_;
};

}  // namespace snellen::text::meteor
