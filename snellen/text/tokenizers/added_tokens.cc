// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/added_tokens.h"

#include <algorithm>
#include <functional>

#include "snellen/text/tokenizers/unicode_classes.h"
#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

bool stands_alone(std::string_view text, size_t begin, size_t end) {
  bool is_open = begin == 0 || !is_regex_word(decode_before(text, begin).value);
  bool is_closed = end == text.size() || !is_regex_word(decode_at(text, end).value);
  return is_open && is_closed;
}

size_t without_spaces_before(std::string_view text, size_t at, size_t least) {
  while (at > least) {
    CodePoint c = decode_before(text, at);
    if (!is_regex_space(c.value)) break;
    at -= c.size;
  }
  return std::max(at, least);
}

size_t behind_spaces(std::string_view text, size_t at) {
  while (at < text.size()) {
    CodePoint c = decode_at(text, at);
    if (!is_regex_space(c.value)) break;
    at += c.size;
  }
  return at;
}

}  // namespace

AddedTokens::AddedTokens(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  for (size_t i = 0; i < tokens_.size(); ++i) {
    by_content_.set(tokens_[i].content, static_cast<int32_t>(i));
    starts_[static_cast<unsigned char>(tokens_[i].content[0])] = true;
    lengths_.push_back(tokens_[i].content.size());
  }
  std::sort(lengths_.begin(), lengths_.end(), std::greater<>());
  lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
}

const AddedToken* AddedTokens::longest_at(std::string_view text, size_t at) const {
  for (size_t length : lengths_) {
    if (length > text.size() - at) continue;
    int32_t index = by_content_.find(text.substr(at, length));
    if (index != StringTable::kAbsent) return &tokens_[static_cast<size_t>(index)];
  }
  return nullptr;
}

void AddedTokens::split(std::string_view text, std::vector<Piece>& out) const {
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    const AddedToken* token =
        starts_[static_cast<unsigned char>(text[at])] ? longest_at(text, at) : nullptr;
    if (token == nullptr) {
      ++at;
      continue;
    }
    size_t begin = at;
    size_t end = at + token->content.size();
    at = end;
    if (token->single_word && !stands_alone(text, begin, end)) continue;
    if (token->lstrip) begin = without_spaces_before(text, begin, done);
    if (token->rstrip) end = behind_spaces(text, end);
    if (begin > done) out.push_back({text.substr(done, begin - done), Vocabulary::kAbsent});
    out.push_back({text.substr(begin, end - begin), token->id});
    done = end;
  }
  if (done < text.size()) out.push_back({text.substr(done), Vocabulary::kAbsent});
}

}  // namespace snellen::text
