// SPDX-License-Identifier: Apache-2.0
// The answer rules of other scorers (docs/spec/bias.md 2.6), bugs included, for comparing with
// their figures.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "snellen/text/answers/answer_parser.h"

namespace snellen::text {

enum class AnswerRule { kDefault, kParen, kParenFallback, kPrefix, kFirstParen, kMmmu };

// "default", "paren", "paren_fallback", "prefix", "first_paren", "mmmu".
std::string_view name_of(AnswerRule rule);
// Throws kUsage listing the known names.
AnswerRule answer_rule_of(std::string_view name);

// Right iff the literal "(A)" of the label occurs anywhere; "(A) or (B)" is right for both.
bool is_right_by_paren(std::string_view response, size_t label);
// As paren; without any "(letter)": the capital among the pieces between space . , [ ] ( ), else
// the option's text (as it is or lower-cased) as a piece, or for label 2 anywhere.
bool is_right_by_paren_fallback(std::string_view response,
                                std::span<const std::string> options,
                                size_t label);
// First option whose lower-cased text starts the answer up to its first full stop ("no" starts "not
// known").
std::optional<size_t> option_by_prefix(std::string_view response,
                                       std::span<const std::string> options);
std::optional<size_t> option_by_first_paren(std::string_view response, size_t num_options);
// MMMU's rule without its random guess.
std::optional<size_t> option_by_mmmu(std::string_view response,
                                     std::span<const std::string> options);

// Any rule as a parser. paren and paren_fallback name the one label they would call right; several
// are ambiguous. The compat rules know no refusal: what they do not match is unparsable, or empty.
ParsedAnswer parse_answer_by(AnswerRule rule,
                             std::string_view response,
                             const AnswerOptions& options);

}  // namespace snellen::text
