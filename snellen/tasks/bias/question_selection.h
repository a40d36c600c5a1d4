// SPDX-License-Identifier: Apache-2.0
// Which questions of a set are asked: of some subsets, categories and conditions, or a sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "snellen/annotations/bias/vlbias.h"
#include "snellen/config/options.h"
#include "snellen/tasks/bias/prompts.h"

namespace snellen::tasks {

// How a model that gives scores and no answers chooses an option.
enum class ChoosesBy {
  kModel,       // as the model is: the run finds out
  kSimilarity,  // of "question option" with the picture
  kLikelihood,  // of the letter behind the whole prompt
};

struct QuestionSettings {
  PromptStyle prompt = PromptStyle::kLetters;
  uint32_t num_orders = 1;
  ChoosesBy chooses_by = ChoosesBy::kModel;
  bool offers_unknown_always = false;
  std::vector<std::string> subsets;
  std::vector<std::string> categories;
  std::vector<std::string> conditions;
  uint64_t sample = 0;
  std::vector<std::string> strata;
};
config::Block question_block();

struct SelectedQuestions {
  struct One {
    uint32_t number;  // in the set
    uint32_t subset;  // a number of `subsets`
  };
  std::vector<One> questions;        // subset after subset, each in the order of the set
  std::vector<std::string> subsets;  // in the order in which they come
};
// Throws kUsage for a value that no question has, kNothingScored when none is left.
SelectedQuestions select_questions(const annotations::CloseQuestions& all,
                                   const QuestionSettings& settings,
                                   uint64_t seed);

// A part of the records, drawn evenly from those that share a key (docs/spec/bias.md 6): which
// places of `keys` are kept, in order.
std::vector<uint32_t> stratified_sample(const std::vector<std::string>& keys,
                                        uint64_t count,
                                        uint64_t seed);

}  // namespace snellen::tasks
