// SPDX-License-Identifier: Apache-2.0
// Text as a Java program sees it, because METEOR's published numbers were made by one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace snellen::text::meteor {

// Appends the code points of UTF-8 `bytes`. Ill-formed pieces become U+FFFD, as many as Java's
// decoder makes (an encoded surrogate is one piece of three bytes there, where other decoders see
// three pieces).
void decode_java_utf8(std::string_view bytes, std::u32string& out);

void append_utf8(std::string& out, char32_t code_point);

// String.hashCode: h = 31 * h + unit over UTF-16 units, wrapping. `utf8` must be well formed.
uint32_t java_hash(std::string_view utf8);

// String.trim: everything up to U+0020 goes, at both ends.
std::string_view java_trim(std::string_view text);

// String.toLowerCase in the root locale: whole-string rules such as the final sigma included.
void lower_case(const std::u32string& text, std::string& utf8);

// Double.toString: "4.0", "0.7597989949748742", "5.0E-4", "1.0E7", "NaN", "-Infinity"; shortest
// digits.
void append_java_double(std::string& out, double x);

}  // namespace snellen::text::meteor
