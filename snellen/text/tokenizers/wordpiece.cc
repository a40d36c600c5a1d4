// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/wordpiece.h"

#include <algorithm>

namespace snellen::text {
namespace {

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace

WordPieceModel::WordPieceModel(Vocabulary vocabulary, WordPieceOptions options)
    : vocabulary_(std::move(vocabulary)), options_(std::move(options)) {
  unk_ = vocabulary_.require(options_.unk_token, "the unknown token");
  for (size_t i = 0; i < vocabulary_.size(); ++i) {
    std::string_view token = vocabulary_.token(i);
    if (token.starts_with(options_.inside_prefix))
      inside_.set(token.substr(options_.inside_prefix.size()), vocabulary_.id(i));
  }
}

void WordPieceModel::encode(std::string_view word,
                            SubwordScratch& /*scratch*/,
                            std::vector<TokenId>& out) const {
  // Bytes bound characters, so most words need no count.
  if (word.size() > options_.max_characters) {
    auto num_characters =
        word.size() - static_cast<size_t>(std::count_if(word.begin(), word.end(), is_continuation));
    if (num_characters > options_.max_characters) {
      out.push_back(unk_);
      return;
    }
  }
  size_t before = out.size();
  for (size_t begin = 0; begin < word.size();) {
    // No piece is longer than the longest, so the search is linear in the word.
    size_t longest = begin == 0 ? vocabulary_.longest_token() : inside_.longest_key();
    size_t end = std::min(word.size(), begin + longest);
    while (end < word.size() && end > begin && is_continuation(word[end])) --end;
    TokenId id = Vocabulary::kAbsent;
    while (end > begin) {
      std::string_view piece = word.substr(begin, end - begin);
      id = begin == 0 ? vocabulary_.find(piece) : inside_.find(piece);
      if (id != Vocabulary::kAbsent) break;
      --end;
      while (end > begin && is_continuation(word[end])) --end;
    }
    if (id == Vocabulary::kAbsent) {
      out.resize(before);
      out.push_back(unk_);
      return;
    }
    out.push_back(id);
    begin = end;
  }
}

}  // namespace snellen::text
