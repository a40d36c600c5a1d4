// SPDX-License-Identifier: Apache-2.0
// Character classes as Python's `re` and `str` see them, because the published text tools are
// Python: white space is str.isspace, a word character is \w, a digit is \d. All text is UTF-8; a
// byte that is ill-formed reads as U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/text/utf8.h"

namespace snellen::text {

bool is_space(char32_t c);
bool is_word(char32_t c);
bool is_digit(char32_t c);
// 0..9 for any Unicode decimal digit, -1 for anything else.
int digit_value(char32_t c);
// The ASCII lower-case letter that re.IGNORECASE takes `c` for (also for U+0130, U+0131, U+017F and
// U+212A); any other character as it is.
char32_t fold_to_ascii(char32_t c);

// str.lower() for whole texts: full case mapping, no locale.
std::string lower(std::string_view text);

// Bytes of the white-space character at the start of `text`, 0 when there is none. In line: this is
// the inner loop of every metric that splits on white space.
inline size_t leading_space(std::string_view text) {
  if (text.empty()) return 0;
  auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80)
    return first == ' ' || (first >= 9 && first <= 13) || (first >= 28 && first <= 31) ? 1 : 0;
  if (first < 0xC2 || first > 0xE3) return 0;
  CodePoint c = decode_at(text, 0);
  return is_space(c.value) ? c.size : 0;
}

// Calls take(word) for each white-space separated piece, as str.split() gives them.
template <typename Take>
void for_each_word(std::string_view text, Take take) {
  size_t begin = 0;
  size_t at = 0;
  while (at < text.size()) {
    size_t space = leading_space(text.substr(at));
    if (space == 0) {
      ++at;
      continue;
    }
    if (at > begin) take(text.substr(begin, at - begin));
    at += space;
    begin = at;
  }
  if (at > begin) take(text.substr(begin, at - begin));
}

std::vector<std::string_view> split_words(std::string_view text);
// True for a text of white space only, and for the empty one.
bool is_blank(std::string_view text);

}  // namespace snellen::text
