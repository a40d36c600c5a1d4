// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/top_choice.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/metrics/choice/candidates.h"
#include "snellen/metrics/choice/softmax.h"

namespace snellen::metrics {

TopChoice top_choice(std::span<const double> scores, size_t right) {
  SNELLEN_CHECK(right < scores.size());
  auto first_maximum = std::max_element(scores.begin(), scores.end());
  return {.confidence = softmax(scores)[right],
          .is_correct = static_cast<size_t>(first_maximum - scores.begin()) == right,
          .is_tied = std::count(scores.begin(), scores.end(), *first_maximum) > 1,
          .is_best = scores[right] == *first_maximum};
}

std::optional<std::string> choice_misfit(const ItemShape& shape, const char* name) {
  if (shape.num_asked() > 1 && shape.num_right() == 1) return std::nullopt;
  return fmt::format(
      "{} needs several scores of which one is right, got {} scores and {} right ones",
      name,
      shape.num_asked(),
      shape.num_right());
}

Judged judge_choice(const ScoredItem& item) {
  Candidates all = candidates_of(item);
  TopChoice choice = top_choice(all.scores, all.right);
  Judged judged;
  judged.values = {choice.credit(item.ties), choice.confidence};
  judged.tied_columns = uint64_t{choice.is_best && choice.is_tied};
  if (judged.values[0] != 0.5) judged.is_correct = judged.values[0] == 1;
  double right = all.scores[all.right];
  all.scores[all.right] = -std::numeric_limits<double>::infinity();
  judged.margin = right - *std::max_element(all.scores.begin(), all.scores.end());
  return judged;
}

namespace {

class TopChoiceMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }
  std::optional<std::string> misfit(const ItemShape& shape) const override {
    return choice_misfit(shape, "choice");
  }
  Judged judge(const ScoredItem& item) const override { return judge_choice(item); }
  std::optional<double> chance(size_t column, const ItemShape& shape) const override {
    (void)column;
    return 1 / static_cast<double>(shape.num_asked());
  }

 private:
  MetricFacts facts_ = {
      .name = "top_choice",
      .summary = "is the right one of several texts on top, and with what confidence",
      .version = 1,
      .range = "0..1",
      .ties = "task files: a tie is wrong, --ties; Probe-B_R: the first maximum wins",
      .paper = "arXiv 2304.03659, 3.6",
      .columns = {{.name = "acc", .is_share = true, .is_decision = true}, {.name = "conf"}}};
};

}  // namespace

std::unique_ptr<Metric> make_top_choice();
std::unique_ptr<Metric> make_top_choice() {
  return std::make_unique<TopChoiceMetric>();
}

}  // namespace snellen::metrics
