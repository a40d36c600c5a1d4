// SPDX-License-Identifier: Apache-2.0
// A model's free text -> the option it chose (docs/spec/bias.md 2.5). Twelve rules, the first that
// fires wins.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace snellen::text {

enum class AnswerStatus { kParsed, kRefusal, kUnparsable, kAmbiguous, kEmpty };

// "parsed", "refusal", "unparsable", "ambiguous", "empty".
std::string_view name_of(AnswerStatus status);

// The options in the order shown, lettered A, B, ...; at most 26. `unknown` is the "not enough
// information" option.
struct AnswerOptions {
  std::span<const std::string> texts;
  std::optional<size_t> unknown;
};

struct ParsedAnswer {
  AnswerStatus status = AnswerStatus::kUnparsable;
  std::optional<size_t> index;  // set iff status is kParsed
  std::string_view rule;        // name of the rule that fired; a literal
};

// What follows the reasoning that some models write between think tags; nothing where the response
// ends before they do.
std::optional<std::string_view> after_reasoning(std::string_view response);

// A null response is "". Throws kInvalidInput for no option, more than 26 or an unknown index out
// of range.
ParsedAnswer parse_answer(std::string_view response, const AnswerOptions& options);

// Throws kInvalidInput unless there are 1 to 26 options and the unknown one is among them.
void check_options(const AnswerOptions& options);

}  // namespace snellen::text
