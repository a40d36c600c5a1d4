// SPDX-License-Identifier: Apache-2.0
// Text -> VADER tokens (docs/spec/bias.md 5.3, steps 1 to 3).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "snellen/text/vader/vader_words.h"

namespace snellen::text {

// Emoji of one code point and the words that stand for them; longer keys can never match and are
// left out. Const methods are safe from many threads.
class EmojiTable {
 public:
  EmojiTable() = default;
  // The text of emoji_utf8_lexicon.txt: emoji, TAB, description. Throws kInvalidInput naming
  // `source` and the line.
  EmojiTable(std::string_view table, std::string_view source);

  size_t size() const { return descriptions_.size(); }
  // The text with emoji replaced, or nothing when it holds none.
  std::optional<std::string> replaced(std::string_view text) const;

 private:
  std::unordered_map<uint32_t, std::string> descriptions_;
  bool has_ascii_key_ = false;
};

struct VaderToken {
  const VaderWord* word;  // never null
  bool is_upper;
  bool is_negation;  // in the list, or contains "n't"
};

using VaderTokens = std::pmr::vector<VaderToken>;

// Splits at white space and looks every token up. Emoji are replaced before.
void tokenize_for_vader(std::string_view text, const VaderWords& words, VaderTokens& tokens);

}  // namespace snellen::text
