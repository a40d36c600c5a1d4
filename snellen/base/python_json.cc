// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/python_json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

namespace snellen {
namespace {

constexpr uint32_t kReplacement = 0xFFFD;

// Decodes one code point at `at`, moving it forward; an ill-formed byte gives U+FFFD and moves by
// one.
uint32_t decode_utf8(std::string_view text, size_t& at) {
  auto byte = [&](size_t i) -> uint32_t { return static_cast<unsigned char>(text[i]); };
  uint32_t first = byte(at);
  size_t length = first < 0x80                    ? 1
                  : first >= 0xC2 && first < 0xE0 ? 2
                  : first >= 0xE0 && first < 0xF0 ? 3
                  : first >= 0xF0 && first < 0xF5 ? 4
                                                  : 0;
  if (length == 0 || at + length > text.size()) {
    ++at;
    return kReplacement;
  }
  if (length == 1) {
    ++at;
    return first;
  }
  uint32_t code = first & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    uint32_t next = byte(at + i);
    if ((next & 0xC0U) != 0x80U) {
      ++at;
      return kReplacement;
    }
    code = code << 6 | (next & 0x3FU);
  }
  bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  bool is_surrogate = code >= 0xD800 && code < 0xE000;
  if (is_overlong || is_surrogate || code > 0x10FFFF) {
    ++at;
    return kReplacement;
  }
  at += length;
  return code;
}

void append_quoted(std::string& out, std::string_view text, bool ascii_only) {
  out.push_back('"');
  for (size_t at = 0; at < text.size();) {
    unsigned char c = static_cast<unsigned char>(text[at]);
    if (c >= 0x80) {
      size_t start = at;
      uint32_t code = decode_utf8(text, at);
      if (!ascii_only) {
        if (code == kReplacement) {
          out += "\xEF\xBF\xBD";
        } else {
          out.append(text.substr(start, at - start));
        }
      } else if (code < 0x10000) {
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
      } else {
        fmt::format_to(std::back_inserter(out),
                       "\\u{:04x}\\u{:04x}",
                       0xD800 + ((code - 0x10000) >> 10),
                       0xDC00 + ((code - 0x10000) & 0x3FF));
      }
      continue;
    }
    ++at;
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        // json.dumps escapes DEL too when it keeps to ASCII.
        if (c < 0x20 || (c == 0x7F && ascii_only)) {
          fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
        } else {
          out.push_back(static_cast<char>(c));
        }
    }
  }
  out.push_back('"');
}

}  // namespace

void append_python_float(std::string& out, double x, NonFinite non_finite) {
  if (!std::isfinite(x)) {
    if (non_finite == NonFinite::kNull) {
      out += "null";
    } else {
      out += std::isnan(x) ? "NaN" : x > 0 ? "Infinity" : "-Infinity";
    }
    return;
  }
  // Shortest digits from to_chars in scientific form, laid out as repr() does: fixed for exponents
  // -4..15.
  std::array<char, 32> buffer{};
  auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::scientific)
          .ptr;
  std::string_view text(buffer.data(), static_cast<size_t>(end - buffer.data()));
  if (text.front() == '-') {
    out.push_back('-');
    text.remove_prefix(1);
  }
  size_t e = text.find('e');
  int exponent = 0;
  std::string_view exponent_text = text.substr(e + 1);
  if (exponent_text.front() == '+') exponent_text.remove_prefix(1);
  std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  std::array<char, 24> digits{};
  size_t num_digits = 0;
  for (char c : text.substr(0, e)) {
    if (c != '.') digits[num_digits++] = c;
  }
  std::string_view all(digits.data(), num_digits);
  if (exponent < -4 || exponent >= 16) {
    out.push_back(all.front());
    if (all.size() > 1) {
      out.push_back('.');
      out.append(all.substr(1));
    }
    fmt::format_to(
        std::back_inserter(out), "e{}{:02d}", exponent < 0 ? '-' : '+', std::abs(exponent));
  } else if (exponent < 0) {
    out += "0.";
    out.append(static_cast<size_t>(-exponent - 1), '0');
    out.append(all);
  } else {
    size_t whole = static_cast<size_t>(exponent) + 1;
    if (all.size() <= whole) {
      out.append(all);
      out.append(whole - all.size(), '0');
      out += ".0";
    } else {
      out.append(all.substr(0, whole));
      out.push_back('.');
      out.append(all.substr(whole));
    }
  }
}

std::string python_float(double x, NonFinite non_finite) {
  std::string out;
  append_python_float(out, x, non_finite);
  return out;
}

void append_python_string(std::string& out, std::string_view text) {
  append_quoted(out, text, /*ascii_only=*/true);
}

std::string python_string(std::string_view text) {
  std::string out;
  append_python_string(out, text);
  return out;
}

void append_json_string(std::string& out, std::string_view text) {
  append_quoted(out, text, /*ascii_only=*/false);
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace snellen
