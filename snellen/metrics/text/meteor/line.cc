// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/meteor/line.h"

#include <algorithm>

namespace snellen::metrics::meteor {

using text::meteor::ParaphraseIndex;

void Line::assign(std::string_view normalized,
                  WordCache& cache,
                  const ParaphraseIndex* paraphrases) {
  words.clear();
  hashes.clear();
  stem_hashes.clear();
  table_words.clear();
  synset_signatures.clear();
  phrases.clear();
  num_function_words = 0;
  for (size_t at = 0; at < normalized.size();) {
    size_t end = std::min(normalized.find(' ', at), normalized.size());
    if (end > at) {
      uint32_t id = cache.id_of(normalized.substr(at, end - at));
      const WordFacts& facts = cache[id];
      words.push_back(id);
      hashes.push_back(facts.hash);
      stem_hashes.push_back(facts.stem_hash);
      table_words.push_back(facts.table_word);
      synset_signatures.push_back(facts.synset_signature);
      num_function_words += facts.is_function ? 1 : 0;
    }
    at = end + 1;
  }
  if (paraphrases != nullptr) find_phrases(*paraphrases);
}

void Line::find_phrases(const ParaphraseIndex& paraphrases) {
  for (size_t start = 0; start < table_words.size(); ++start) {
    if (table_words[start] == ParaphraseIndex::kNone) continue;
    size_t longest =
        std::min<size_t>(paraphrases.longest_from(table_words[start]), table_words.size() - start);
    uint64_t hash = 0;
    for (size_t length = 1; length <= longest; ++length) {
      uint32_t word = table_words[start + length - 1];
      if (word == ParaphraseIndex::kNone) break;
      hash = text::meteor::extend_hash(hash, word);
      uint32_t phrase = paraphrases.find_phrase({table_words.data() + start, length}, hash);
      if (phrase == ParaphraseIndex::kNone) continue;
      phrases.push_back({phrase,
                         static_cast<uint32_t>(start),
                         static_cast<uint32_t>(length),
                         paraphrases.filter_of(phrase),
                         text::meteor::phrase_hash(phrase)});
    }
  }
}

}  // namespace snellen::metrics::meteor
