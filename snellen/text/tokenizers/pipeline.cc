// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/pipeline.h"

#include <algorithm>

namespace snellen::text {

Pipeline::Pipeline(PipelineParts parts, TokenizerFacts facts)
    : Tokenizer(std::move(facts), std::move(parts.frame)),
      normalizer_(std::move(parts.normalizer)),
      pre_tokenizer_(std::move(parts.pre_tokenizer)),
      model_(std::move(parts.model)),
      end_id_(model_->vocabulary().end_id()) {
  std::vector<AddedToken> raw;
  std::vector<AddedToken> normalized;
  for (AddedToken& token : parts.added_tokens) {
    added_pieces_.emplace_back(token.id, token.content);
    end_id_ = std::max(end_id_, static_cast<size_t>(token.id) + 1);
    if (!token.normalized) {
      raw.push_back(std::move(token));
      continue;
    }
    token.content = normalizer_.normalize(token.content);
    if (!token.content.empty()) normalized.push_back(std::move(token));
  }
  std::sort(added_pieces_.begin(), added_pieces_.end());
  raw_tokens_ = AddedTokens(std::move(raw));
  normalized_tokens_ = AddedTokens(std::move(normalized));
  lane_ = ClipLane::for_parts(
      normalizer_, pre_tokenizer_, *model_, {&raw_tokens_, &normalized_tokens_});
}

std::string_view Pipeline::piece(TokenId id) const {
  auto found = std::lower_bound(
      added_pieces_.begin(), added_pieces_.end(), id, [](const auto& entry, TokenId wanted) {
        return entry.first < wanted;
      });
  if (found != added_pieces_.end() && found->first == id) return found->second;
  return model_->vocabulary().piece(id);
}

void Pipeline::append_tokens(std::string_view text,
                             TokenizerScratch& scratch,
                             std::vector<TokenId>& out) const {
  if (lane_ && lane_->append_tokens(text, scratch.subwords, out)) return;
  if (raw_tokens_.is_empty()) return append_normalized(text, scratch, out);
  scratch.pieces.clear();
  raw_tokens_.split(text, scratch.pieces);
  for (const AddedTokens::Piece& piece : scratch.pieces) {
    if (piece.id == Vocabulary::kAbsent) {
      append_normalized(piece.text, scratch, out);
    } else {
      out.push_back(piece.id);
    }
  }
}

void Pipeline::append_normalized(std::string_view text,
                                 TokenizerScratch& scratch,
                                 std::vector<TokenId>& out) const {
  std::string normalized;
  if (!normalizer_.is_empty()) {
    normalized = normalizer_.normalize(text);
    text = normalized;
  }
  scratch.inner_pieces.clear();
  normalized_tokens_.split(text, scratch.inner_pieces);
  for (const AddedTokens::Piece& piece : scratch.inner_pieces) {
    if (piece.id != Vocabulary::kAbsent) {
      out.push_back(piece.id);
      continue;
    }
    pre_tokenizer_.split(piece.text, scratch.words, scratch.storage);
    for (std::string_view word : scratch.words) model_->encode(word, scratch.subwords, out);
  }
}

}  // namespace snellen::text
