// SPDX-License-Identifier: Apache-2.0
// Tokens that are taken whole, before the text is split: special tokens, and words added to a
// vocabulary. Found leftmost, the longest of those that start together.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/tokenizers/string_table.h"
#include "snellen/text/tokenizers/vocabulary.h"

namespace snellen::text {

struct AddedToken {
  std::string content;  // never empty
  TokenId id = 0;
  bool single_word = false;  // not inside a word
  bool lstrip = false;       // takes the white space before it
  bool rstrip = false;       // takes the white space after it
  bool normalized = false;   // looked for in the normalised text
  bool special = false;
};

class AddedTokens {
 public:
  struct Piece {
    std::string_view text;
    TokenId id;  // kAbsent for text between tokens
  };

  AddedTokens() = default;
  explicit AddedTokens(std::vector<AddedToken> tokens);

  bool is_empty() const { return tokens_.empty(); }
  const std::vector<AddedToken>& tokens() const { return tokens_; }
  // True when a token could start with this byte.
  bool may_start_with(unsigned char byte) const { return starts_[byte]; }
  // Appends the pieces of `text`, in order, none empty but for tokens. Const and safe from many
  // threads.
  void split(std::string_view text, std::vector<Piece>& out) const;

 private:
  const AddedToken* longest_at(std::string_view text, size_t at) const;

  std::vector<AddedToken> tokens_;
  StringTable by_content_;
  std::vector<size_t> lengths_;  // of the contents, longest first
  std::array<bool, 256> starts_{};
};

}  // namespace snellen::text
