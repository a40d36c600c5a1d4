// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/unicode_case.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "snellen/text/characters.h"

namespace snellen::text {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;
constexpr uint32_t kCapitalSigma = 0x3A3;
constexpr uint32_t kCapitalIWithDot = 0x130;

char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

DecodedPoint code_point_at(std::string_view text, size_t at) {
  auto [value, size] = decode_at(text, at);
  return {value, size};
}

bool is_white_space(uint32_t code_point) {
  return is_space(code_point);
}

bool is_letter(uint32_t code_point) {
  return u_isalpha(static_cast<UChar32>(code_point)) != 0;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty()) {
    DecodedPoint first = code_point_at(text, 0);
    if (!is_white_space(first.value)) break;
    text.remove_prefix(first.length);
  }
  while (!text.empty()) {
    size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 &&
           (static_cast<unsigned char>(text[start]) & 0xC0U) == 0x80U) {
      --start;
    }
    DecodedPoint last = code_point_at(text, start);
    if (start + last.length != text.size() || !is_white_space(last.value)) break;
    text.remove_suffix(last.length);
  }
  return text;
}

void lower_into(std::string_view text, std::string& out) {
  out.clear();
  for (size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      out.push_back(ascii_lower(text[at++]));
      continue;
    }
    DecodedPoint point = code_point_at(text, at);
    if (point.value == kCapitalSigma) {
      // Its form depends on the letters around it, which ICU knows.
      out.clear();
      icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())))
          .toLower(icu::Locale::getRoot())
          .toUTF8String(out);
      return;
    }
    if (point.value == kCapitalIWithDot) {
      out += "i\xCC\x87";
    } else if (point.value == kReplacement) {
      out.append(text.substr(at, point.length));
    } else {
      append_utf8(out, static_cast<char32_t>(u_tolower(static_cast<UChar32>(point.value))));
    }
    at += point.length;
  }
}

std::string lowered(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  lower_into(text, out);
  return out;
}

bool is_upper(std::string_view text) {
  bool has_upper = false;
  for (size_t at = 0; at < text.size();) {
    DecodedPoint point = code_point_at(text, at);
    at += point.length;
    auto c = static_cast<UChar32>(point.value);
    if (u_isULowercase(c) || u_istitle(c)) return false;
    if (u_isUUppercase(c)) has_upper = true;
  }
  return has_upper;
}

size_t num_characters(std::string_view text) {
  size_t count = 0;
  for (size_t at = 0; at < text.size(); at += code_point_at(text, at).length) ++count;
  return count;
}

}  // namespace snellen::text
