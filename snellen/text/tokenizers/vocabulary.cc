// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/vocabulary.h"

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

// Tokens in messages: whole, unless they are absurd.
std::string shown(std::string_view token) {
  constexpr size_t kShown = 60;
  return token.size() <= kShown ? std::string(token)
                                : fmt::format("{}...", token.substr(0, kShown));
}

}  // namespace

void Vocabulary::add(std::string_view token, int64_t id) {
  TokenId there = ids_.find(token);
  if (there != kAbsent && there == id) return;
  if (there != kAbsent) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("token '{}' has two ids, {} and {}", shown(token), there, id),
                source_,
                "keep one of them"};
  }
  place(token, id);
}

void Vocabulary::add_or_move(std::string_view token, int64_t id) {
  place(token, id);
}

void Vocabulary::place(std::string_view token, int64_t id) {
  if (id < 0 || id >= kMostIds) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("token '{}' has id {}, not in 0..{}", shown(token), id, kMostIds - 1),
                source_,
                "the file is damaged, or not a vocabulary"};
  }
  auto index = static_cast<size_t>(id);
  if (index < pieces_.size() && pieces_[index] != 0) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("id {} belongs to two tokens, '{}' and '{}'",
                            id,
                            shown(piece(static_cast<TokenId>(id))),
                            shown(token)),
                source_,
                "give each token an id of its own"};
  }
  if (token.size() > UINT32_MAX) throw Error{ErrorCode::kInvalidInput, "token too long", source_};
  size_t at = ids_.set(token, static_cast<TokenId>(id));
  if (index >= pieces_.size()) pieces_.resize(index + 1);
  pieces_[index] = static_cast<uint32_t>(at + 1);
}

TokenId Vocabulary::require(std::string_view token, std::string_view what) const {
  TokenId id = find(token);
  if (id != kAbsent) return id;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("{} '{}' is not in the vocabulary", what, shown(token)),
              source_,
              "the files of this folder do not belong together"};
}

std::string_view Vocabulary::piece(TokenId id) const {
  if (id < 0 || static_cast<size_t>(id) >= pieces_.size()) return {};
  uint32_t index = pieces_[static_cast<size_t>(id)];
  return index == 0 ? std::string_view() : ids_.key(index - 1);
}

}  // namespace snellen::text
