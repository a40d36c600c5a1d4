// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/metrics/text/meteor/word_cache.h"

namespace snellen::metrics::meteor {

// A phrase of the paraphrase table at a place of a line.
struct PhrasePlace {
  uint32_t phrase;
  uint32_t start;
  uint32_t length;
  text::meteor::ParaphraseIndex::KeyFilter filter;  // empty when the phrase is no key
  uint64_t hash;
};

// A normalised line as the matchers read it; its memory is reused for the next line.
struct Line {
  std::vector<uint32_t> words;  // ids of the word cache
  std::vector<uint32_t> hashes;
  std::vector<uint32_t> stem_hashes;
  std::vector<uint32_t> table_words;
  std::vector<uint64_t> synset_signatures;
  std::vector<PhrasePlace> phrases;  // by start, then length
  uint32_t num_function_words = 0;

  size_t size() const { return words.size(); }
  void assign(std::string_view normalized,
              WordCache& cache,
              const text::meteor::ParaphraseIndex* paraphrases);

 private:
  void find_phrases(const text::meteor::ParaphraseIndex& paraphrases);
};

}  // namespace snellen::metrics::meteor
