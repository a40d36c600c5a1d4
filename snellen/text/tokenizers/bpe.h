// SPDX-License-Identifier: Apache-2.0
// Byte-pair encoding as the `tokenizers` library does it: the pair with the lowest rank is merged
// first, the leftmost of equals. Byte-level models (CLIP, GPT-2, RoBERTa, OPT) start from bytes,
// others (Gemma) from characters, with the bytes of an unknown character as a last resort.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "snellen/text/tokenizers/merge_table.h"
#include "snellen/text/tokenizers/subword_model.h"
#include "snellen/text/tokenizers/word_cache.h"

namespace snellen::text {

struct BpeOptions {
  std::string word_end;                  // CLIP's "</w>", carried by the last symbol of a word
  std::string inside_prefix;             // carried by every symbol but the first
  std::optional<std::string> unk_token;  // without one, unknown symbols are dropped
  bool fuses_unk = false;                // neighbouring unknown symbols make one token
  bool has_byte_fallback = false;
  bool ignores_merges = false;  // a word that is a token is taken whole
  bool is_byte_level = false;
};

using BpeMerges = std::vector<std::pair<std::string, std::string>>;

class BpeModel final : public SubwordModel {
 public:
  // Throws kInvalidInput naming `merges_source` for a merge whose parts or result are not in the
  // vocabulary, and naming the vocabulary for an unknown-token that is not there.
  BpeModel(Vocabulary vocabulary,
           const BpeMerges& merges,
           BpeOptions options,
           const std::string& merges_source);

  void encode(std::string_view word,
              SubwordScratch& scratch,
              std::vector<TokenId>& out) const override;
  // The same for a word that is known not to be in the cache.
  void encode_uncached(std::string_view word,
                       SubwordScratch& scratch,
                       std::vector<TokenId>& out) const;
  const Vocabulary& vocabulary() const override { return vocabulary_; }
  const WordCache& cache() const { return cache_; }
  const BpeOptions& options() const { return options_; }

 private:
  void spell_bytes();
  void fill_cache();
  void add_symbols(std::string_view word, SubwordScratch& scratch) const;
  bool add_fallback(std::string_view symbol, std::vector<TokenId>& symbols) const;
  void merge_short(SubwordScratch& scratch) const;
  void merge_long(SubwordScratch& scratch) const;

  Vocabulary vocabulary_;
  BpeOptions options_;
  MergeTable merges_;
  TokenId unk_ = Vocabulary::kAbsent;
  // Byte-level symbols by [is first + 2 * is last][byte], and the byte tokens of the fallback.
  std::array<std::array<TokenId, 256>, 4> byte_symbols_{};
  std::array<TokenId, 256> fallback_{};
  WordCache cache_;
};

}  // namespace snellen::text
