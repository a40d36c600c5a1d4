// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/python_tokens.h"

#include <algorithm>
#include <array>
#include <limits>

namespace snellen::formats {
namespace {

// DEL may stand bare in a JSON string, and no published text begins with it.
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array<PythonToken, 3> kTokens = {
    {{"NaN", "\"\x7f\"", std::numeric_limits<double>::quiet_NaN()},
     {"-Infinity", "\"\x7f-infin\"", -kInfinity},
     {"Infinity", "\"\x7finfin\"", kInfinity}}};
static_assert(kTokens[0].text.size() == kTokens[0].stand_in.size());
static_assert(kTokens[1].text.size() == kTokens[1].stand_in.size());
static_assert(kTokens[2].text.size() == kTokens[2].stand_in.size());

const PythonToken* token_at(std::string_view json) {
  for (const PythonToken& token : kTokens) {
    if (json.starts_with(token.text)) return &token;
  }
  return nullptr;
}

}  // namespace

std::optional<std::string> replace_python_tokens(std::string_view json, TokensAs form) {
  if (json.find("NaN") == std::string_view::npos && json.find("Infinity") == std::string_view::npos)
    return std::nullopt;
  std::string replaced;
  replaced.reserve(json.size());
  bool has_any = false;
  for (size_t at = 0; at < json.size();) {
    size_t end = at + 1;
    const PythonToken* token = nullptr;
    if (json[at] == '"') {
      while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, json.size());
    } else {
      token = token_at(json.substr(at));
      if (token) end = at + token->text.size();
    }
    if (token) {
      replaced += form == TokensAs::kNull ? "null" : token->stand_in;
    } else {
      replaced += json.substr(at, end - at);
    }
    has_any = has_any || token;
    at = end;
  }
  if (!has_any) return std::nullopt;
  return replaced;
}

const PythonToken* python_token(std::string_view unquoted) {
  for (const PythonToken& token : kTokens) {
    if (token.stand_in.substr(1, token.stand_in.size() - 2) == unquoted) return &token;
  }
  return nullptr;
}

}  // namespace snellen::formats
