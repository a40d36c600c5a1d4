// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/meteor/java_text.h"

#include <charconv>
#include <cmath>

#include <unicode/locid.h>
#include <unicode/unistr.h>

namespace snellen::text::meteor {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

struct Piece {
  char32_t code_point;
  size_t num_bytes;
};

// The byte at `at`, or 0 past the end: 0 is not a continuation, so a cut sequence reads as
// ill-formed.
uint8_t byte_at(std::string_view bytes, size_t at) {
  return at < bytes.size() ? static_cast<uint8_t>(bytes[at]) : uint8_t{0};
}

bool is_continuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

Piece decode_three(std::string_view bytes, size_t at) {
  uint8_t b1 = byte_at(bytes, at), b2 = byte_at(bytes, at + 1), b3 = byte_at(bytes, at + 2);
  if ((b1 == 0xE0 && (b2 & 0xE0) == 0x80) || !is_continuation(b2)) return {kReplacement, 1};
  if (!is_continuation(b3)) return {kReplacement, 2};
  char32_t c = char32_t(b1 & 0x0F) << 12 | char32_t(b2 & 0x3F) << 6 | char32_t(b3 & 0x3F);
  if (c >= 0xD800 && c <= 0xDFFF) return {kReplacement, 3};
  return {c, 3};
}

Piece decode_four(std::string_view bytes, size_t at) {
  uint8_t b1 = byte_at(bytes, at), b2 = byte_at(bytes, at + 1);
  uint8_t b3 = byte_at(bytes, at + 2), b4 = byte_at(bytes, at + 3);
  if (b1 > 0xF4 || !is_continuation(b2) || (b1 == 0xF0 && b2 < 0x90) || (b1 == 0xF4 && b2 > 0x8F)) {
    return {kReplacement, 1};
  }
  if (!is_continuation(b3)) return {kReplacement, 2};
  if (!is_continuation(b4)) return {kReplacement, 3};
  return {char32_t(b1 & 0x07) << 18 | char32_t(b2 & 0x3F) << 12 | char32_t(b3 & 0x3F) << 6 |
              char32_t(b4 & 0x3F),
          4};
}

Piece decode_piece(std::string_view bytes, size_t at) {
  uint8_t b1 = byte_at(bytes, at);
  if (b1 < 0x80) return {b1, 1};
  if (b1 >= 0xC2 && b1 <= 0xDF) {
    uint8_t b2 = byte_at(bytes, at + 1);
    if (!is_continuation(b2)) return {kReplacement, 1};
    return {char32_t(b1 & 0x1F) << 6 | char32_t(b2 & 0x3F), 2};
  }
  if ((b1 & 0xF0) == 0xE0) return decode_three(bytes, at);
  if ((b1 & 0xF8) == 0xF0) return decode_four(bytes, at);
  return {kReplacement, 1};
}

}  // namespace

void decode_java_utf8(std::string_view bytes, std::u32string& out) {
  for (size_t at = 0; at < bytes.size();) {
    Piece piece = decode_piece(bytes, at);
    out.push_back(piece.code_point);
    at += piece.num_bytes;
  }
}

void append_utf8(std::string& out, char32_t c) {
  auto put = [&out](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12), put(0x80 | (c >> 6 & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | c >> 18), put(0x80 | (c >> 12 & 0x3F)), put(0x80 | (c >> 6 & 0x3F)),
        put(0x80 | (c & 0x3F));
  }
}

uint32_t java_hash(std::string_view utf8) {
  uint32_t hash = 0;
  for (size_t at = 0; at < utf8.size();) {
    Piece piece = decode_piece(utf8, at);
    at += piece.num_bytes;
    char32_t c = piece.code_point;
    if (c >= 0x10000) {
      hash = 31 * hash + static_cast<uint32_t>(0xD800 + ((c - 0x10000) >> 10));
      hash = 31 * hash + static_cast<uint32_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      hash = 31 * hash + static_cast<uint32_t>(c);
    }
  }
  return hash;
}

std::string_view java_trim(std::string_view text) {
  auto is_trimmed = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
  while (!text.empty() && is_trimmed(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_trimmed(text.back())) text.remove_suffix(1);
  return text;
}

void lower_case(const std::u32string& text, std::string& utf8) {
  utf8.clear();
  bool is_ascii = true;
  for (char32_t c : text) {
    if (c >= 0x80) {
      is_ascii = false;
      break;
    }
    utf8.push_back(static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c));
  }
  if (is_ascii) return;
  utf8.clear();
  static_assert(sizeof(UChar32) == sizeof(char32_t));
  icu::UnicodeString units = icu::UnicodeString::fromUTF32(
      reinterpret_cast<const UChar32*>(text.data()), static_cast<int32_t>(text.size()));
  units.toLower(icu::Locale::getRoot());
  units.toUTF8String(utf8);
}

void append_java_double(std::string& out, double x) {
  if (std::isnan(x)) {
    out += "NaN";
    return;
  }
  if (std::signbit(x)) out.push_back('-');
  x = std::abs(x);
  if (std::isinf(x)) {
    out += "Infinity";
    return;
  }
  if (x == 0) {
    out += "0.0";
    return;
  }
  char buffer[40];
  bool is_plain = x >= 1e-3 && x < 1e7;
  auto end = std::to_chars(buffer,
                           buffer + sizeof buffer,
                           x,
                           is_plain ? std::chars_format::fixed : std::chars_format::scientific)
                 .ptr;
  std::string_view digits(buffer, static_cast<size_t>(end - buffer));
  size_t e = digits.find('e');
  std::string_view mantissa = digits.substr(0, e);
  out += mantissa;
  if (mantissa.find('.') == std::string_view::npos) out += ".0";
  if (e == std::string_view::npos) return;
  out.push_back('E');
  std::string_view exponent = digits.substr(e + 1);
  if (exponent.front() == '-') out.push_back('-');
  exponent.remove_prefix(1);
  while (exponent.size() > 1 && exponent.front() == '0') exponent.remove_prefix(1);
  out += exponent;
}

}  // namespace snellen::text::meteor
