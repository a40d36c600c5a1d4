// SPDX-License-Identifier: Apache-2.0
// Characters as Python's str sees them: white space, lower case and upper case of UTF-8 text. The
// reference scorers are Python, so "trim", "split" and "lower-case" in the specs mean these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace snellen::text {

struct DecodedPoint {
  uint32_t value;  // U+FFFD for an ill-formed byte
  size_t length;   // bytes, at least 1
};

// Decodes the code point at `at`; at < text.size().
DecodedPoint code_point_at(std::string_view text, size_t at);

// str.isspace() of one character.
bool is_white_space(uint32_t code_point);
bool is_letter(uint32_t code_point);

// str.strip().
std::string_view trimmed(std::string_view text);

// str.lower(), written over `out`; ill-formed bytes are copied.
void lower_into(std::string_view text, std::string& out);
std::string lowered(std::string_view text);

// str.isupper(): at least one upper-case character, none that is lower-case or title-case.
bool is_upper(std::string_view text);

// len(text), with each ill-formed byte as one character.
size_t num_characters(std::string_view text);

}  // namespace snellen::text
