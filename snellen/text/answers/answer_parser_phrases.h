// SPDX-License-Identifier: Apache-2.0
// Words and phrases the answer parser looks for (docs/spec/bias.md 2.2 and 2.5).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::text {

// ASCII lower case; every run of characters other than 0-9, a-z, apostrophe and bytes >= 0x80 is
// one space; trimmed.
std::string answer_words(std::string_view text);

// True when `phrase` stands at `at` in `words` with a space or an end on both sides.
bool is_phrase_at(std::string_view words, size_t at, std::string_view phrase);
bool contains_phrase(std::string_view words, std::string_view phrase);
// Replaces every non-overlapping hit by one space; true if there was one.
bool remove_phrase(std::string& words, std::string_view phrase);

// The wordings that mean "unknown", longest first, ties alphabetical; `own` is the option's own
// wording.
std::vector<std::string_view> unknown_phrases(std::string_view own);
std::span<const std::string_view> refusal_phrases();

// "no" before such a word ("no information") is not the answer No.
bool is_no_continuation(std::string_view word);

}  // namespace snellen::text
