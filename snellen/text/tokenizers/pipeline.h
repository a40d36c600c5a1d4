// SPDX-License-Identifier: Apache-2.0
// A tokenizer put together from the published parts, in their order: added tokens are split off the
// raw text; what lies between is normalised, split at the added tokens that want normalised text,
// split into words, and each word encoded by the model.
#pragma once

#include <memory>
#include <optional>

#include "snellen/text/tokenizers/clip_lane.h"
#include "snellen/text/tokenizers/normalizer.h"
#include "snellen/text/tokenizers/pre_tokenizer.h"
#include "snellen/text/tokenizers/tokenizer.h"

namespace snellen::text {

struct PipelineParts {
  Normalizer normalizer;
  PreTokenizer pre_tokenizer;
  std::unique_ptr<const SubwordModel> model;  // never null
  std::vector<AddedToken> added_tokens;
  TokenFrame frame;
};

class Pipeline final : public Tokenizer {
 public:
  Pipeline(PipelineParts parts, TokenizerFacts facts);

  std::string_view piece(TokenId id) const override;
  size_t end_id() const override { return end_id_; }
  bool has_fast_lane() const { return lane_.has_value(); }

 protected:
  void append_tokens(std::string_view text,
                     TokenizerScratch& scratch,
                     std::vector<TokenId>& out) const override;

 private:
  void append_normalized(std::string_view text,
                         TokenizerScratch& scratch,
                         std::vector<TokenId>& out) const;

  Normalizer normalizer_;
  PreTokenizer pre_tokenizer_;
  std::unique_ptr<const SubwordModel> model_;
  AddedTokens raw_tokens_;                                     // looked for in the raw text
  AddedTokens normalized_tokens_;                              // looked for in the normalised text
  std::vector<std::pair<TokenId, std::string>> added_pieces_;  // by id
  size_t end_id_ = 0;
  std::optional<ClipLane> lane_;
};

}  // namespace snellen::text
