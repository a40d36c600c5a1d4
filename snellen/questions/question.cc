// SPDX-License-Identifier: Apache-2.0
#include "snellen/questions/question.h"

#include <algorithm>

namespace snellen::questions {

std::string shown_name(const Visual& visual, const Question& question) {
  return question.name.empty() ? visual.name : visual.name + '#' + question.name;
}

std::vector<Pair> pairs_of(std::span<const Question> questions) {
  size_t count = 0;
  for (const Question& question : questions) count += num_scores(question);
  std::vector<Pair> pairs(count);
  size_t next = 0;
  for (const Question& question : questions) {
    SNELLEN_CHECK(question.places.empty() || question.places.size() == question.texts.size());
    for (size_t i = 0; i < num_scores(question); ++i) {
      const size_t place = place_of(question, i, next);
      SNELLEN_CHECK(place < count);
      pairs[place] = {question.visual, question.texts[i]};
    }
    next += num_scores(question);
  }
  return pairs;
}

std::vector<Question> questions_about(std::span<const Pair> pairs) {
  std::vector<Question> questions;
  for (uint32_t place = 0; place < pairs.size(); ++place) {
    const Pair& pair = pairs[place];
    auto found = std::find_if(questions.rbegin(), questions.rend(), [&](const Question& question) {
      return question.visual == pair.visual;
    });
    if (found == questions.rend()) {
      questions.push_back({.visual = pair.visual});
      found = questions.rbegin();
    }
    found->texts.push_back(pair.text);
    found->places.push_back(place);
  }
  uint32_t next = 0;
  const bool is_in_order = std::all_of(questions.begin(), questions.end(), [&](const auto& one) {
    return std::all_of(
        one.places.begin(), one.places.end(), [&](uint32_t place) { return place == next++; });
  });
  if (is_in_order)
    for (Question& question : questions) question.places.clear();
  return questions;
}

}  // namespace snellen::questions
