// SPDX-License-Identifier: Apache-2.0
// What a task asks of texts: which of these belongs to the picture?
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "snellen/tasks/task.h"

namespace snellen::audit {

// One question of an item.
struct TextChoice {
  std::vector<std::string_view> texts = {};  // they point into the item
  std::vector<bool> is_right = {};           // by text; at least one is, and one is not
  std::vector<size_t> places = {};           // of their scores among those of the item

  double chance() const;  // of a guess
};

// Larger choices, such as all classes of a data set, are no choice between captions.
inline constexpr size_t kMostTexts = 26;

struct ItemChoices {
  std::vector<TextChoice> choices = {};
  uint64_t num_left_out =
      0;  // questions with one text, too many, or nothing that tells what is right
};

// What is right stands in the item; where it does not, the task says it: each text is given the one
// high score in turn, and those under which the item comes out best are right.
ItemChoices choices_of(const tasks::Task& task, const tasks::Item& item);

// How much of the choice somebody gets right who takes the text with the highest score: 1, 0, or
// the share of right ones among those that tie.
double share_right(const TextChoice& choice, const std::vector<double>& scores);

}  // namespace snellen::audit
