// SPDX-License-Identifier: Apache-2.0
// Scores from what a chat model says first: its likeliest tokens, or its words where the server
// gives no log-probabilities.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/models/openai/chat.h"

namespace snellen::models::openai {

// The text with "{}" replaced by the caption. Throws kUsage unless the template holds exactly one.
std::string filled(std::string_view yes_template, std::string_view caption);

struct YesScore {
  double value = 0;  // P(yes) / (P(yes) + P(no)); 1 or 0 where only the words are known
  double mass = 0;   // P(yes) + P(no); 1 where only the words are known
  bool is_from_words = false;
};
// Spellings of each word (case, leading blanks and word marks) are summed. An Error where neither
// word is among the likeliest tokens, or begins the answer.
Result<YesScore> yes_score(const ChatAnswer& answer);

struct LetterChances {
  std::vector<double> shares;  // of the letters A, B, ..., summing to 1
  double mass = 0;
  bool is_from_words = false;
};
// An Error where no letter is found.
Result<LetterChances> letter_chances(const ChatAnswer& answer, size_t num_options);

// "Which ...?", the options behind letters in this order, and how to reply.
std::string letter_prompt(std::string_view question, const std::vector<std::string_view>& options);
// "A, B or C"
std::string letter_list(size_t count);
// Lines "A) ...", "(A) ..." or "A. ..." of a question, counted from A on.
size_t num_option_lines(std::string_view text);

}  // namespace snellen::models::openai
