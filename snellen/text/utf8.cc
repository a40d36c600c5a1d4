// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/utf8.h"

#include <simdjson.h>

namespace snellen::text {
namespace {

constexpr CodePoint kIllFormed = {0xFFFD, 1};

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0) == 0x80;
}

// Bytes of the ill-formed run that starts at `at`: a lead byte takes the continuation bytes that a
// well-formed character could have had in these places.
size_t ill_formed_size(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  unsigned char first = byte(0);
  if (first < 0xC2 || first > 0xF4) return 1;
  size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  size_t taken = 1;
  while (taken < size && at + taken < text.size()) {
    if (byte(taken) < low || byte(taken) > high) break;
    low = 0x80;
    high = 0xBF;
    ++taken;
  }
  return taken;
}

}  // namespace

CodePoint decode_at(std::string_view text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + size > text.size()) return kIllFormed;
  char32_t c = first & (0x7Fu >> size);
  for (size_t i = 1; i < size; ++i) {
    if (!is_continuation(byte(i))) return kIllFormed;
    c = c << 6 | (byte(i) & 0x3Fu);
  }
  bool is_overlong = (size == 3 && c < 0x800) || (size == 4 && c < 0x10000);
  bool is_surrogate = c >= 0xD800 && c <= 0xDFFF;
  if (is_overlong || is_surrogate || c > 0x10FFFF) return kIllFormed;
  return {c, size};
}

CodePoint decode_before(std::string_view text, size_t end) {
  size_t begin = end - 1;
  while (begin > 0 && end - begin < 4 && is_continuation(static_cast<unsigned char>(text[begin])))
    --begin;
  CodePoint c = decode_at(text, begin);
  return begin + c.size == end ? c : kIllFormed;
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
    return;
  }
  if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0U | c >> 6));
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0U | c >> 12));
    out.push_back(static_cast<char>(0x80U | (c >> 6 & 0x3FU)));
  } else {
    out.push_back(static_cast<char>(0xF0U | c >> 18));
    out.push_back(static_cast<char>(0x80U | (c >> 12 & 0x3FU)));
    out.push_back(static_cast<char>(0x80U | (c >> 6 & 0x3FU)));
  }
  out.push_back(static_cast<char>(0x80U | (c & 0x3FU)));
}

std::string_view replace_ill_formed(std::string_view bytes, std::string& storage) {
  if (simdjson::validate_utf8(bytes.data(), bytes.size())) return bytes;
  storage.clear();
  for (size_t at = 0; at < bytes.size();) {
    CodePoint c = decode_at(bytes, at);
    bool is_ill_formed = c.size == 1 && static_cast<unsigned char>(bytes[at]) >= 0x80;
    size_t size = is_ill_formed ? ill_formed_size(bytes, at) : c.size;
    append_utf8(storage, is_ill_formed ? char32_t{0xFFFD} : c.value);
    at += size;
  }
  return storage;
}

}  // namespace snellen::text
