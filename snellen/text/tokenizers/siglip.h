// SPDX-License-Identifier: Apache-2.0
// SigLIP's tokenizer over a spiece.model: special tokens are split off, each part is lower-cased,
// loses its ASCII punctuation and its doubled white space, and is encoded behind "<unk>" so that
// sentencepiece adds no space of its own (docs/spec/models.md 2.2).
#pragma once

#include "snellen/text/tokenizers/sentencepiece_model.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::text {

struct SiglipOptions {
  bool lowers = true;
  std::string unk_token = "<unk>";
  // With their ids; all that are `special` count as special tokens.
  std::vector<AddedToken> added_tokens;
};

class SiglipTokenizer final : public Tokenizer {
 public:
  SiglipTokenizer(SentencePieceModel model,
                  SiglipOptions options,
                  TokenizerFacts facts,
                  TokenFrame frame);

  std::string_view piece(TokenId id) const override;
  size_t end_id() const override { return end_id_; }

 protected:
  void append_tokens(std::string_view text,
                     TokenizerScratch& scratch,
                     std::vector<TokenId>& out) const override;

 private:
  std::string canonical(std::string_view part) const;

  SentencePieceModel model_;
  SiglipOptions options_;
  AddedTokens added_;
  size_t unk_length_;  // pieces that the unknown token's own text makes
  size_t end_id_;
};

}  // namespace snellen::text
