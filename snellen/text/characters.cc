// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/characters.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace snellen::text {

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_word(char32_t c) {
  if (c < 0x80) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  }
  auto code = static_cast<UChar32>(c);
  // str.isalnum: a letter, or anything with a numeric value (Roman numerals, fractions,
  // superscripts).
  return u_isalpha(code) || u_getIntPropertyValue(code, UCHAR_NUMERIC_TYPE) != U_NT_NONE;
}

bool is_digit(char32_t c) {
  if (c < 0x80) return c >= '0' && c <= '9';
  return u_charType(static_cast<UChar32>(c)) == U_DECIMAL_DIGIT_NUMBER;
}

int digit_value(char32_t c) {
  return is_digit(c) ? u_charDigitValue(static_cast<UChar32>(c)) : -1;
}

char32_t fold_to_ascii(char32_t c) {
  if (c >= 'A' && c <= 'Z') return c + ('a' - 'A');
  if (c == 0x130 || c == 0x131) return 'i';
  if (c == 0x17F) return 's';
  if (c == 0x212A) return 'k';
  return c;
}

std::string lower(std::string_view text) {
  std::string out(text);
  bool is_ascii = true;
  for (char& c : out) {
    if (static_cast<unsigned char>(c) >= 0x80) is_ascii = false;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
  if (is_ascii) return out;
  icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  out.clear();
  icu::UnicodeString::fromUTF8(piece).toLower(icu::Locale::getRoot()).toUTF8String(out);
  return out;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for_each_word(text, [&](std::string_view word) { words.push_back(word); });
  return words;
}

bool is_blank(std::string_view text) {
  while (size_t space = leading_space(text)) text.remove_prefix(space);
  return text.empty();
}

}  // namespace snellen::text
