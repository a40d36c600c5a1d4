// SPDX-License-Identifier: Apache-2.0
// The letter rules of the answer parser (docs/spec/bias.md 2.5, rules 2 to 6 and 10), on cleaned
// and trimmed text. Letters beyond the number of options never match.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace snellen::text {

// The last \boxed{X}, with optional \text{, parentheses and spaces inside.
std::optional<size_t> boxed_letter(std::string_view text, size_t num_options);
// The whole text is one letter in optional brackets, quotes and final punctuation.
std::optional<size_t> sole_letter(std::string_view text, size_t num_options);
// The last "answer is B", "Option (c)", "choice: A"; else a final "answer: b".
std::optional<size_t> cued_letter(std::string_view text, size_t num_options);
// "B. ...", "(B) ...", "B - ...", unless "or (C)" follows.
std::optional<size_t> leading_letter(std::string_view text, size_t num_options);
// Distinct letters in (x) or [x], in order of first appearance.
std::vector<size_t> bracketed_letters(std::string_view text, size_t num_options);
// Distinct capitals that stand alone, in order of first appearance.
std::vector<size_t> isolated_letters(std::string_view text, size_t num_options);

}  // namespace snellen::text
