// SPDX-License-Identifier: Apache-2.0
#include "snellen/audit/text_choice.h"

#include <algorithm>
#include <cmath>

namespace snellen::audit {
namespace {

// How well an item came out, over all of its columns.
double sum_of(const tasks::Outcome& outcome, const std::vector<tasks::Column>& columns) {
  double sum = 0;
  for (size_t i = 0; i < std::min(columns.size(), outcome.values.size()); ++i) {
    const double value = outcome.values[i];
    if (columns[i].is_share && std::isfinite(value))
      sum += columns[i].higher_is_better ? value : -value;
  }
  return sum;
}

// By text of the question: those under which the item comes out best; empty where it is all the
// same.
std::vector<bool> right_by_trial(const tasks::Task& task,
                                 const tasks::Item& item,
                                 const std::vector<std::vector<size_t>>& places,
                                 size_t question,
                                 size_t num_scores) {
  const std::vector<tasks::Column> columns = task.columns();
  std::vector<double> sums;
  for (const size_t chosen : places[question]) {
    questions::Scores scores{.values = std::vector<double>(num_scores, 0.0)};
    for (size_t other = 0; other < places.size(); ++other) {
      if (other != question && !places[other].empty()) scores.values[places[other].front()] = 1.0;
    }
    scores.values[chosen] = 1.0;
    const Result<tasks::Outcome> outcome = task.judge(item, scores);
    if (!outcome) return {};
    sums.push_back(sum_of(*outcome, columns));
  }
  const double best = *std::max_element(sums.begin(), sums.end());
  std::vector<bool> is_right;
  for (const double sum : sums) is_right.push_back(sum == best);
  return is_right;
}

}  // namespace

double TextChoice::chance() const {
  return static_cast<double>(std::count(is_right.begin(), is_right.end(), true)) /
         static_cast<double>(is_right.size());
}

ItemChoices choices_of(const tasks::Task& task, const tasks::Item& item) {
  ItemChoices found;
  std::vector<std::vector<size_t>> places;
  size_t num_scores = 0;
  for (const questions::Question& question : item.questions) {
    std::vector<size_t>& own = places.emplace_back();
    for (size_t i = 0; i < question.texts.size(); ++i)
      own.push_back(questions::place_of(question, i, num_scores));
    num_scores += question.texts.size();
  }
  for (size_t number = 0; number < item.questions.size(); ++number) {
    const questions::Question& question = item.questions[number];
    if (question.wants != questions::Wants::kScores || question.texts.size() < 2 ||
        question.texts.size() > kMostTexts) {
      ++found.num_left_out;
      continue;
    }
    TextChoice choice{.texts = {}, .is_right = {}, .places = places[number]};
    for (const uint32_t text : question.texts) {
      choice.texts.push_back(item.texts[text].prompt);
      const questions::Pair pair{question.visual, text};
      choice.is_right.push_back(std::find(item.right.begin(), item.right.end(), pair) !=
                                item.right.end());
    }
    if (item.right.empty())
      choice.is_right = right_by_trial(task, item, places, number, num_scores);
    const auto num_right = std::count(choice.is_right.begin(), choice.is_right.end(), true);
    if (num_right == 0 || num_right == static_cast<ptrdiff_t>(choice.texts.size())) {
      ++found.num_left_out;
      continue;
    }
    found.choices.push_back(std::move(choice));
  }
  return found;
}

double share_right(const TextChoice& choice, const std::vector<double>& scores) {
  const double best = *std::max_element(scores.begin(), scores.end());
  double num_best = 0;
  double num_right = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] != best) continue;
    ++num_best;
    num_right += choice.is_right[i] ? 1 : 0;
  }
  return num_best > 0 ? num_right / num_best : choice.chance();
}

}  // namespace snellen::audit
