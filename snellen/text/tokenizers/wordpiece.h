// SPDX-License-Identifier: Apache-2.0
// WordPiece as BERT does it: the longest piece that starts the word, then the longest that goes on;
// a word that cannot be spelled is one unknown token.
#pragma once

#include <string>
#include <string_view>

#include "snellen/text/tokenizers/subword_model.h"

namespace snellen::text {

struct WordPieceOptions {
  std::string unk_token = "[UNK]";
  std::string inside_prefix = "##";
  size_t max_characters = 100;  // longer words are unknown
};

class WordPieceModel final : public SubwordModel {
 public:
  // Throws kInvalidInput when the unknown token is not in the vocabulary.
  WordPieceModel(Vocabulary vocabulary, WordPieceOptions options);

  void encode(std::string_view word,
              SubwordScratch& scratch,
              std::vector<TokenId>& out) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  Vocabulary vocabulary_;
  WordPieceOptions options_;
  TokenId unk_;
  StringTable inside_;  // pieces that go on, without their prefix
};

}  // namespace snellen::text
