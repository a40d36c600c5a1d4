// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/unicode_classes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include <unicode/uchar.h>

namespace snellen::text {
namespace {

struct CodeRange {
  uint32_t first;
  uint32_t last;
};

#include "snellen/text/tokenizers/unicode_ranges.inc"

bool is_in(std::span<const CodeRange> ranges, char32_t c) {
  auto after =
      std::upper_bound(ranges.begin(), ranges.end(), c, [](char32_t value, CodeRange range) {
        return value < range.first;
      });
  return after != ranges.begin() && c <= std::prev(after)->last;
}

bool is_between(char32_t c, char32_t first, char32_t last) {
  return c >= first && c <= last;
}

}  // namespace

bool is_regex_letter(char32_t c) {
  if (c < 0x80) return is_between(c, 'a', 'z') || is_between(c, 'A', 'Z');
  return is_between(c, 0x4E00, 0x9FFF) || is_in(kLetters, c);
}

bool is_regex_number(char32_t c) {
  if (c < 0x80) return is_between(c, '0', '9');
  return is_in(kNumbers, c);
}

bool is_python_letter(char32_t c) {
  return is_regex_letter(c) || is_in(kNewerLetters, c);
}

bool is_python_number(char32_t c) {
  return is_regex_number(c) || is_in(kNewerNumbers, c);
}

bool is_regex_space(char32_t c) {
  if (c < 0x80) return c == ' ' || is_between(c, 9, 13);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || is_between(c, 0x2000, 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_regex_word(char32_t c) {
  if (c < 0x80) return is_regex_letter(c) || is_regex_number(c) || c == '_';
  return is_in(kWords, c);
}

bool is_bert_cleaned(char32_t c) {
  return is_in(kCleaned, c);
}

bool is_bert_punctuation(char32_t c) {
  if (c < 0x80) return c > ' ' && c < 0x7F && !is_regex_letter(c) && !is_regex_number(c);
  return is_in(kPunctuation, c);
}

bool is_bert_accent(char32_t c) {
  return c >= 0x300 && is_in(kNonspacingMarks, c);
}

bool is_bert_chinese(char32_t c) {
  // As published, with its gap between U+2B820 and U+2B91F.
  return is_between(c, 0x4E00, 0x9FFF) || is_between(c, 0x3400, 0x4DBF) ||
         is_between(c, 0x20000, 0x2A6DF) || is_between(c, 0x2A700, 0x2B81F) ||
         is_between(c, 0x2B920, 0x2CEAF) || is_between(c, 0xF900, 0xFAFF) ||
         is_between(c, 0x2F800, 0x2FA1F);
}

bool is_combining_mark(char32_t c) {
  return c >= 0x300 && is_in(kCombiningMarks, c);
}

char32_t lower_of(char32_t c) {
  if (c < 0x80) return is_between(c, 'A', 'Z') ? c + 32 : c;
  // Unicode 16 and 17, which an older ICU does not know.
  if (c == 0x1C89) return 0x1C8A;
  if (c == 0xA7CB) return 0x264;
  if (c == 0xA7DC) return 0x19B;
  if (c == 0xA7CC || c == 0xA7CE || c == 0xA7D2 || c == 0xA7D4 || c == 0xA7DA) return c + 1;
  if (is_between(c, 0x10D50, 0x10D65)) return c + 0x20;
  if (is_between(c, 0x16EA0, 0x16EB8)) return c + 0x1B;
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
}

}  // namespace snellen::text
