// SPDX-License-Identifier: Apache-2.0
// How a close-ended question is put to a model that answers in words (docs/spec/bias.md 2.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/bias/bias_answers.h"

namespace snellen::tasks {

enum class PromptStyle {
  kLetters,  // ours: "A) ..." and "Reply with one letter only"
  kVlbias,   // the release of VLBiasBench: options without letters
  kSeed,     // the question on top, "(A) Yes" below
};

// The question with its options in the presented order: which option stands at each place.
std::string close_prompt(PromptStyle style,
                         const annotations::CloseRow& question,
                         const std::vector<size_t>& presented);

// The question with one of its options, for models that compare a text with a picture.
std::string option_text(const annotations::CloseRow& question, size_t option);
// "A" for place 0.
char option_letter(size_t place);

// Orders of options, by number: the cyclic shifts, then all others as they come in a dictionary.
// Throws kUsage above their number.
std::vector<size_t> option_order(size_t num_options, uint64_t number);
// How many there are; of many options the shifts alone count.
uint64_t num_option_orders(size_t num_options);

// The order of the published loader for question `number`, before which `ambiguous_before` others
// were ambiguous. Without `has_unknown` the unknown option is not offered to others than these.
std::vector<size_t> release_order(size_t number,
                                  uint32_t ambiguous_before,
                                  bool is_ambiguous,
                                  bool has_unknown);

}  // namespace snellen::tasks
