// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/words/number_words.h"

#include <array>

#include "snellen/base/error.h"
#include "snellen/text/characters.h"

namespace snellen::text {
namespace {

constexpr std::array<std::string_view, 20> kSmall = {
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<std::string_view, 10> kTens = {
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<std::string_view, 12> kGroups = {"",
                                                      " thousand",
                                                      " million",
                                                      " billion",
                                                      " trillion",
                                                      " quadrillion",
                                                      " quintillion",
                                                      " sextillion",
                                                      " septillion",
                                                      " octillion",
                                                      " nonillion",
                                                      " decillion"};

void append_below_hundred(std::string& out, unsigned value) {
  if (value < 20) {
    out += kSmall[value];
    return;
  }
  out += kTens[value / 10];
  if (value % 10 == 0) return;
  out += '-';
  out += kSmall[value % 10];
}

void append_below_thousand(std::string& out, unsigned value) {
  if (value >= 100) {
    out += kSmall[value / 100];
    out += " hundred";
    if (value % 100 == 0) return;
    out += " and ";
  }
  append_below_hundred(out, value % 100);
}

std::string digit_by_digit(std::string_view digits) {
  std::string out;
  for (char digit : digits) {
    if (!out.empty()) out += ' ';
    out += kSmall[static_cast<size_t>(digit - '0')];
  }
  return out;
}

}  // namespace

std::string number_words(std::string_view digits) {
  SNELLEN_CHECK(digits.find_first_not_of("0123456789") == std::string_view::npos);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return std::string(kSmall[0]);
  if (digits.size() > 3 * kGroups.size()) return digit_by_digit(digits);
  std::string out;
  size_t group = (digits.size() + 2) / 3;
  size_t length = digits.size() - 3 * (group - 1);
  while (group-- > 0) {
    unsigned value = 0;
    for (char digit : digits.substr(0, length))
      value = value * 10 + static_cast<unsigned>(digit - '0');
    digits.remove_prefix(length);
    length = 3;
    if (value == 0) continue;
    if (!out.empty()) out += group == 0 && value < 100 ? " and " : ", ";
    append_below_thousand(out, value);
    out += kGroups[group];
  }
  return out;
}

std::string replace_numbers(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::string digits;
  auto flush = [&] {
    if (digits.empty()) return;
    for (char c : number_words(digits)) out += c == '-' ? ' ' : c;
    digits.clear();
  };
  for (size_t at = 0; at < text.size();) {
    CodePoint c = decode_at(text, at);
    int value = digit_value(c.value);
    if (value >= 0) {
      digits += static_cast<char>('0' + value);
    } else {
      flush();
      out += text.substr(at, c.size);
    }
    at += c.size;
  }
  flush();
  return out;
}

}  // namespace snellen::text
