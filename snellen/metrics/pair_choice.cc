// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/pair_choice.h"

#include <array>

#include "snellen/base/error.h"
#include "snellen/metrics/metric.h"
#include "snellen/metrics/softmax.h"

namespace snellen::metrics {

PairChoice pair_choice(double right, double foil) {
  std::array<double, 2> logits = {right, foil};
  return {.confidence = softmax(logits)[0], .is_correct = right > foil, .is_tied = right == foil};
}

PairChoice pair_choice_float(double right, double foil) {
  std::array<double, 2> logits = {right, foil};
  std::vector<float> shares = softmax_float(logits);
  return {.confidence = softmax(logits)[0],
          .is_correct = shares[0] > shares[1],
          .is_tied = shares[0] == shares[1]};
}

namespace {

class PairChoiceMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }

  std::vector<double> judge(const ScoredItem& item) const override {
    bool fits =
        item.num_visuals == 1 && item.num_texts == 2 && item.is_right[0] != item.is_right[1];
    if (!fits)
      throw Error{ErrorCode::kInvalidInput,
                  "pair_choice wants one picture and two texts, one of them right"};
    size_t right = item.is_right[0] != 0 ? 0 : 1;
    PairChoice choice = pair_choice(item.scores[right], item.scores[1 - right]);
    return {choice.is_correct ? 1.0 : 0.0, choice.confidence};
  }

 private:
  MetricFacts facts_ = {.name = "pair_choice",
                        .summary = "does the right text beat its foil, and with what confidence",
                        .version = 1,
                        .range = "0..1",
                        .ties = "a tie is wrong",
                        .paper = "arXiv 2304.03659, eqs 1-3",
                        .columns = {{.name = "acc", .is_share = true, .chance = 0.5},
                                    {.name = "conf", .is_share = false, .chance = 0.5}}};
};

}  // namespace

std::unique_ptr<Metric> make_pair_choice();
std::unique_ptr<Metric> make_pair_choice() {
  return std::make_unique<PairChoiceMetric>();
}

}  // namespace snellen::metrics
