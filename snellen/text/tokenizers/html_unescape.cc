// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/html_unescape.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "snellen/text/utf8.h"

namespace snellen::text {
namespace {

constexpr std::string_view kNames =
#include "snellen/text/tokenizers/html_names.inc"
    ;

// What numeric references to 0x80..0x9F mean: windows-1252, with itself where that has nothing.
constexpr std::array<char32_t, 32> kWindows1252 = {
    0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,  0x2030, 0x160,
    0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};

constexpr size_t kMostNameCharacters = 32;

int digit_of(char c, int base) {
  if (c >= '0' && c <= '9') return c - '0';
  if (base == 16 && c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (base == 16 && c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Characters that a reference may not name: they vanish.
bool is_forbidden(char32_t c) {
  return (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F ||
         (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

void append_number(char32_t c, std::string& out) {
  if (c == 0 || (c >= 0xD800 && c <= 0xDFFF) || c > 0x10FFFF) {
    append_utf8(out, 0xFFFD);
  } else if (c >= 0x80 && c <= 0x9F) {
    append_utf8(out, kWindows1252[c - 0x80]);
  } else if (!is_forbidden(c)) {
    append_utf8(out, c);
  }
}

}  // namespace

HtmlUnescaper::HtmlUnescaper() {
  for (std::string_view rest = kNames; !rest.empty();) {
    size_t end = rest.find(' ');
    std::string_view entry = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    size_t equals = entry.find('=');
    std::string name(entry.substr(0, equals));
    bool stands_bare = name.back() == '!';
    if (stands_bare) name.pop_back();
    std::string value;
    char32_t c = 0;
    for (char digit : entry.substr(equals + 1)) {
      if (digit == '.') {
        append_utf8(value, c);
        c = 0;
      } else {
        c = c * 16 + static_cast<char32_t>(digit_of(digit, 16));
      }
    }
    append_utf8(value, c);
    auto index = static_cast<int32_t>(values_.size());
    values_.push_back(std::move(value));
    names_.set(name + ";", index);
    if (stands_bare) names_.set(name, index);
  }
}

std::string HtmlUnescaper::unescape(std::string_view text) const {
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    size_t mark = std::min(text.find('&', at), text.size());
    out.append(text.substr(at, mark - at));
    if (mark == text.size()) break;
    at = mark + 1;
    size_t taken = append_reference(text.substr(at), out);
    if (taken == 0) out.push_back('&');
    at += taken;
  }
  return out;
}

size_t HtmlUnescaper::append_reference(std::string_view text, std::string& out) const {
  if (!text.starts_with('#')) return append_named(text, out);
  bool is_hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  int base = is_hex ? 16 : 10;
  size_t begin = is_hex ? 2 : 1;
  size_t at = begin;
  char32_t c = 0;
  for (; at < text.size() && digit_of(text[at], base) >= 0; ++at)
    c = std::min<char32_t>(
        0x110000,
        c * static_cast<char32_t>(base) + static_cast<char32_t>(digit_of(text[at], base)));
  if (at == begin) return 0;
  append_number(c, out);
  return at < text.size() && text[at] == ';' ? at + 1 : at;
}

size_t HtmlUnescaper::append_named(std::string_view text, std::string& out) const {
  constexpr std::string_view kEnds = "\t\n\f <&#;";
  size_t end = 0;
  for (size_t count = 0; count < kMostNameCharacters && end < text.size(); ++count) {
    if (kEnds.find(text[end]) != std::string_view::npos) break;
    end += decode_at(text, end).size;
  }
  if (end == 0) return 0;
  if (end < text.size() && text[end] == ';') ++end;
  int32_t index = names_.find(text.substr(0, end));
  if (index != StringTable::kAbsent) {
    out.append(values_[static_cast<size_t>(index)]);
    return end;
  }
  // The longest start of it that is a name; names have at least two characters.
  for (size_t length = end - 1; length > 1; --length) {
    index = names_.find(text.substr(0, length));
    if (index == StringTable::kAbsent) continue;
    out.append(values_[static_cast<size_t>(index)]).append(text.substr(length, end - length));
    return end;
  }
  out.append("&").append(text.substr(0, end));
  return end;
}

}  // namespace snellen::text
