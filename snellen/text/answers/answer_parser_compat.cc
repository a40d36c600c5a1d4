// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/answers/answer_parser_compat.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/nearest.h"
#include "snellen/text/unicode_case.h"

namespace snellen::text {
namespace {

using Index = std::optional<size_t>;

constexpr std::array<std::string_view, 6> kRuleNames = {
    "default", "paren", "paren_fallback", "prefix", "first_paren", "mmmu"};

std::string in_parens(size_t index) {
  return {'(', static_cast<char>('A' + index), ')'};
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool has_any_paren(std::string_view response, size_t num_options) {
  for (size_t i = 0; i < num_options; ++i) {
    if (contains(response, in_parens(i))) return true;
  }
  return false;
}

bool has_piece(std::string_view text, std::string_view wanted) {
  while (true) {
    size_t end = text.find_first_of(" .,[]()");
    if (text.substr(0, end) == wanted) return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
}

std::string_view without_ends(std::string_view text, char c) {
  while (text.starts_with(c)) text.remove_prefix(1);
  while (text.ends_with(c)) text.remove_suffix(1);
  return text;
}

bool has_more_words_than(std::string_view text, size_t limit) {
  size_t count = 0;
  bool is_in_word = false;
  for (size_t at = 0; at < text.size() && count <= limit;) {
    DecodedPoint point = code_point_at(text, at);
    bool is_gap = is_white_space(point.value);
    if (!is_gap && !is_in_word) ++count;
    is_in_word = !is_gap;
    at += point.length;
  }
  return count > limit;
}

// The candidate that occurs last in `text`; `form(i)` is what is looked for. The first wins a tie.
template <typename Form>
Index last_occurring(std::string_view text, size_t num_options, Form form) {
  Index best;
  size_t best_at = 0;
  for (size_t i = 0; i < num_options; ++i) {
    size_t at = text.rfind(form(i));
    if (at == std::string_view::npos || (best && at <= best_at)) continue;
    best = i;
    best_at = at;
  }
  return best;
}

ParsedAnswer from_index(Index index, std::string_view response, std::string_view rule) {
  if (index) return {AnswerStatus::kParsed, index, rule};
  if (trimmed(response).empty()) return {AnswerStatus::kEmpty, std::nullopt, "empty"};
  return {AnswerStatus::kUnparsable, std::nullopt, "none"};
}

template <typename IsRight>
ParsedAnswer from_labels(std::string_view response,
                         size_t num_options,
                         std::string_view rule,
                         IsRight is_right) {
  Index found;
  for (size_t label = 0; label < num_options; ++label) {
    if (!is_right(label)) continue;
    if (found) return {AnswerStatus::kAmbiguous, std::nullopt, rule};
    found = label;
  }
  return from_index(found, response, rule);
}

}  // namespace

std::string_view name_of(AnswerRule rule) {
  return kRuleNames[static_cast<size_t>(rule)];
}

AnswerRule answer_rule_of(std::string_view name) {
  auto found = std::find(kRuleNames.begin(), kRuleNames.end(), name);
  if (found == kRuleNames.end()) {
    std::vector<std::string> known(kRuleNames.begin(), kRuleNames.end());
    throw Error{ErrorCode::kUsage,
                fmt::format("unknown answer parser '{}'", name),
                "--parser",
                suggest(name, known)};
  }
  return static_cast<AnswerRule>(found - kRuleNames.begin());
}

bool is_right_by_paren(std::string_view response, size_t label) {
  return label < 26 && contains(response, in_parens(label));
}

bool is_right_by_paren_fallback(std::string_view response,
                                std::span<const std::string> options,
                                size_t label) {
  if (label >= options.size() || label >= 26) return false;
  if (is_right_by_paren(response, label)) return true;
  if (has_any_paren(response, options.size())) return false;
  const char letter = static_cast<char>('A' + label);
  if (has_piece(response, std::string_view(&letter, 1))) return true;
  const std::string& option = options[label];
  if (label == 2) return contains(response, option) || contains(response, lowered(option));
  return has_piece(response, option) || has_piece(response, lowered(option));
}

std::optional<size_t> option_by_prefix(std::string_view response,
                                       std::span<const std::string> options) {
  std::string_view start = trimmed(response);
  start = trimmed(start.substr(0, start.find('.')));
  std::string answer = lowered(start);
  for (size_t i = 0; i < options.size(); ++i) {
    if (answer.starts_with(lowered(options[i]))) return i;
  }
  return std::nullopt;
}

std::optional<size_t> option_by_first_paren(std::string_view response, size_t num_options) {
  for (size_t at = response.find('('); at != std::string_view::npos;
       at = response.find('(', at + 1)) {
    if (at + 2 >= response.size() || response[at + 2] != ')') continue;
    char letter = response[at + 1];
    if (letter >= 'A' && static_cast<size_t>(letter - 'A') < num_options && letter <= 'Z') {
      return static_cast<size_t>(letter - 'A');
    }
  }
  return std::nullopt;
}

std::optional<size_t> option_by_mmmu(std::string_view response,
                                     std::span<const std::string> options) {
  // One character after the other, as there: "B,." keeps its comma.
  for (char c : std::string_view(",.!?;:'")) response = without_ends(response, c);
  std::string padded = fmt::format(" {} ", response);
  size_t num_letters = std::min<size_t>(options.size(), 26);
  auto letter = [](size_t i) { return static_cast<char>('A' + i); };
  if (Index index = last_occurring(padded, num_letters, in_parens)) return index;
  if (Index index = last_occurring(padded, num_letters, [&](size_t i) {
        return std::string{' ', letter(i), ' '};
      })) {
    return index;
  }
  if (Index index = last_occurring(padded, num_letters, [&](size_t i) {
        return std::string{letter(i), '.'};
      })) {
    return index;
  }
  if (!has_more_words_than(padded, 5)) return std::nullopt;
  return last_occurring(
      lowered(padded), options.size(), [&](size_t i) { return lowered(options[i]); });
}

ParsedAnswer parse_answer_by(AnswerRule rule,
                             std::string_view response,
                             const AnswerOptions& options) {
  check_options(options);
  size_t num_options = options.texts.size();
  switch (rule) {
    case AnswerRule::kDefault:
      return parse_answer(response, options);
    case AnswerRule::kParen:
      return from_labels(response, num_options, "paren", [&](size_t label) {
        return is_right_by_paren(response, label);
      });
    case AnswerRule::kParenFallback:
      return from_labels(response, num_options, "paren_fallback", [&](size_t label) {
        return is_right_by_paren_fallback(response, options.texts, label);
      });
    case AnswerRule::kPrefix:
      return from_index(option_by_prefix(response, options.texts), response, "prefix");
    case AnswerRule::kFirstParen:
      return from_index(option_by_first_paren(response, num_options), response, "first_paren");
    case AnswerRule::kMmmu:
      return from_index(option_by_mmmu(response, options.texts), response, "mmmu");
  }
  return {};
}

}  // namespace snellen::text
