// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/pair_choice.h"

#include <array>

#include <fmt/format.h>

#include "snellen/metrics/choice/candidates.h"
#include "snellen/metrics/choice/softmax.h"

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

  std::optional<std::string> misfit(const ItemShape& shape) const override {
    if (shape.num_asked() == 2 && shape.num_right() == 1) return std::nullopt;
    return fmt::format(
        "pairwise needs two scores of which one is right, got {} scores and {} right ones",
        shape.num_asked(),
        shape.num_right());
  }

  Judged judge(const ScoredItem& item) const override {
    Candidates two = candidates_of(item);
    PairChoice choice = pair_choice(two.scores[two.right], two.scores[1 - two.right]);
    Judged judged;
    judged.values = {credit_of(choice.is_correct, choice.is_correct || choice.is_tied, item.ties),
                     choice.confidence};
    judged.tied_columns = uint64_t{choice.is_tied};
    if (judged.values[0] != 0.5) judged.is_correct = judged.values[0] == 1;
    judged.margin = two.scores[two.right] - two.scores[1 - two.right];
    return judged;
  }

 private:
  MetricFacts facts_ = {
      .name = "pair_choice",
      .summary = "does the right text beat its foil, and with what confidence",
      .version = 1,
      .range = "0..1",
      .ties = "a tie is wrong; --ties",
      .paper = "arXiv 2304.03659, eqs 1-3",
      .columns = {{.name = "acc", .is_share = true, .chance = 0.5, .is_decision = true},
                  {.name = "conf", .is_share = false, .chance = 0.5}}};
};

}  // namespace

std::unique_ptr<Metric> make_pair_choice();
std::unique_ptr<Metric> make_pair_choice() {
  return std::make_unique<PairChoiceMetric>();
}

}  // namespace snellen::metrics
