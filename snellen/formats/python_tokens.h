// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace snellen::formats {

// NaN, Infinity and -Infinity, which Python's json module writes where JSON has nothing for them.
struct PythonToken {
  std::string_view text;
  std::string_view stand_in;  // a JSON string as long as `text`, which no other text begins like
  double value;
};

// What stands for such a token after the reading: null, or its stand-in, from which
// python_token() gets the number back.
enum class TokensAs { kNull, kStandIn };

// The text with every token outside of strings replaced; nothing when there is none, which costs
// one search.
std::optional<std::string> replace_python_tokens(std::string_view json, TokensAs form);

// The token that a stand-in (without its quotes) stands for; null for any other text.
const PythonToken* python_token(std::string_view unquoted);

}  // namespace snellen::formats
