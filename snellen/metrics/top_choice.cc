// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/top_choice.h"

#include <algorithm>

#include "snellen/base/error.h"
#include "snellen/metrics/metric.h"
#include "snellen/metrics/softmax.h"

namespace snellen::metrics {

TopChoice top_choice(std::span<const double> scores, size_t right) {
  SNELLEN_CHECK(right < scores.size());
  auto first_maximum = std::max_element(scores.begin(), scores.end());
  return {.confidence = softmax(scores)[right],
          .is_correct = static_cast<size_t>(first_maximum - scores.begin()) == right,
          .is_tied = std::count(scores.begin(), scores.end(), *first_maximum) > 1};
}

namespace {

class TopChoiceMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }

  std::vector<double> judge(const ScoredItem& item) const override {
    bool fits = item.num_visuals == 1 &&
                std::count(item.is_right.begin(), item.is_right.end(), uint8_t{1}) == 1;
    if (!fits)
      throw Error{ErrorCode::kInvalidInput,
                  "top_choice wants one picture and exactly one right text"};
    auto right = std::find(item.is_right.begin(), item.is_right.end(), uint8_t{1});
    TopChoice choice = top_choice(item.scores, static_cast<size_t>(right - item.is_right.begin()));
    return {choice.is_correct ? 1.0 : 0.0, choice.confidence};
  }

 private:
  MetricFacts facts_ = {
      .name = "top_choice",
      .summary = "is the right one of several texts on top, and with what confidence",
      .version = 1,
      .range = "0..1",
      .ties = "the first maximum wins",
      .paper = "arXiv 2304.03659, 3.6",
      .columns = {{.name = "acc", .is_share = true}, {.name = "conf"}}};
};

}  // namespace

std::unique_ptr<Metric> make_top_choice();
std::unique_ptr<Metric> make_top_choice() {
  return std::make_unique<TopChoiceMetric>();
}

}  // namespace snellen::metrics
