// SPDX-License-Identifier: Apache-2.0
// Words of an English text as the pattern library splits them (TextBlob's _text.py), lower-cased.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snellen::text {

// Punctuation is split from words, abbreviations keep their full stop, emoticons and the mark of
// irony "(!)" stay one word.
std::vector<std::string> pattern_words(std::string_view text);

// Whether a lower-cased word is an emoticon that counts.
bool is_emoticon(std::string_view word);

}  // namespace snellen::text
