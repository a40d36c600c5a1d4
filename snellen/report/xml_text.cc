// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/xml_text.h"

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace snellen::report {
namespace {

// Bytes of the well-formed sequence at the front; 0 when there is none.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                        : first < 0xF5 ? 4
                                       : 0;
  if (length == 0 || length > text.size()) return 0;
  uint32_t point = length == 1 ? first : first & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3FU);
  }
  const bool is_short = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool is_no_character = (point >= 0xD800 && point <= 0xDFFF) || point > 0x10FFFF ||
                               point == 0xFFFE || point == 0xFFFF;
  return is_short || is_no_character ? 0 : length;
}

// A well-formed sequence of three bytes that shows nothing, breaks the line or turns the direction
// of what follows, as the pages of the viewer have it (web/src/show.tsx): its code point, else 0.
uint32_t unseen_point(std::string_view sequence) {
  if (sequence.size() != 3) return 0;
  const auto bits = [&](size_t i) { return static_cast<unsigned char>(sequence[i]) & 0x3FU; };
  const uint32_t point =
      (static_cast<unsigned char>(sequence[0]) & 0xFU) << 12 | bits(1) << 6 | bits(2);
  const bool is_unseen = (point >= 0x200B && point <= 0x200F) ||
                         (point >= 0x2028 && point <= 0x202E) ||
                         (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF;
  return is_unseen ? point : 0;
}

}  // namespace

std::string xml_text(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = sequence_length(text.substr(i));
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    const char c = text[i];
    if (const uint32_t point = unseen_point(text.substr(i, length)); point != 0) {
      out += fmt::format("[U+{:04X}]", point);
    } else if (length > 1) {
      out += text.substr(i, length);
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
    i += length;
  }
  return out;
}

}  // namespace snellen::report
