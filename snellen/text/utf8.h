// SPDX-License-Identifier: Apache-2.0
// UTF-8, in one place: decoding one character, writing one, and reading any bytes as Python does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace snellen::text {

struct CodePoint {
  char32_t value;
  size_t size;  // bytes it takes, at least 1
};

// The character that starts at `at`; `at` must be inside the text. An ill-formed byte reads as
// U+FFFD of size 1.
CodePoint decode_at(std::string_view text, size_t at);
// The character that ends just before `end`; `end` must be above 0.
CodePoint decode_before(std::string_view text, size_t end);

void append_utf8(std::string& out, char32_t c);

// bytes.decode('utf-8', 'replace'): each ill-formed run becomes one U+FFFD, where a run is the
// longest start of a character that could still have been completed (Unicode 3.9, "maximal
// subpart"). Well-formed text is returned as it is; anything else is written to `storage`, which
// must outlive the answer.
std::string_view replace_ill_formed(std::string_view bytes, std::string& storage);

}  // namespace snellen::text
