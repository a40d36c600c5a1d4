// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "snellen/metrics/choice/pair_choice.h"
#include "snellen/metrics/choice/softmax.h"
#include "snellen/stats/sum.h"
#include "snellen/tasks/probe_r/task.h"

namespace snellen::tasks::probe_r {
namespace {

using metrics::PairChoice;

constexpr size_t kRelOnPositives =
    6;  // rel1_vs_rel3 on the positives, whose decision compat re-uses

// Which comparisons the reference fills for a model (docs/spec/probe.md 3.2, 8.5).
bool is_filled(size_t comparison, const Rules& rules) {
  if (!rules.is_compat) return true;
  switch (rules.family) {
    case ProbeFamily::kBridgeTower:
      return comparison < 4;
    case ProbeFamily::kVilt:
      return comparison < 3;
    case ProbeFamily::kFinetuned:
      return comparison < 2;
    default:
      return true;
  }
}

Row mean_row(const std::vector<Row>& rows) {
  Row mean{};
  for (size_t i = 0; i < kNumPrompts; ++i) {
    stats::Sum sum;
    for (const Row& row : rows) sum.add(row[i]);
    mean[i] = sum.value() / static_cast<double>(rows.size());
  }
  return mean;
}

PairChoice choose(double right, double foil, const Rules& rules) {
  return rules.is_compat ? metrics::pair_choice_float(right, foil)
                         : metrics::pair_choice(right, foil);
}

// Two-way softmax per image, then the mean of each probability; the decision is made on the means.
PairChoice choose_by_probability(const std::vector<Row>& rows, const Comparison& comparison) {
  stats::Sum right;
  stats::Sum foil;
  for (const Row& row : rows) {
    std::array<double, 2> pair = {row[comparison.right], row[comparison.foil]};
    std::vector<double> shares = metrics::softmax(pair);
    right.add(shares[0]);
    foil.add(shares[1]);
  }
  double count = static_cast<double>(rows.size());
  return {.confidence = right.value() / count,
          .is_correct = right.value() > foil.value(),
          .is_tied = right.value() == foil.value()};
}

}  // namespace

Outcome judge_group(const GroupScores& scores, const Rules& rules) {
  bool by_probability = rules.average == Average::kProbabilities ||
                        (rules.is_compat && rules.family == ProbeFamily::kBridgeTower);
  Row positive = mean_row(scores.positives);
  Row negative = mean_row(scores.negatives);
  Outcome outcome;
  outcome.values.assign(2 * kComparisons.size(), std::nan(""));
  for (size_t i = 0; i < kComparisons.size(); ++i) {
    const Comparison& comparison = kComparisons[i];
    bool on_anchor = comparison.part == "anchor";
    const std::vector<Row>& rows =
        comparison.part == "negatives" ? scores.negatives : scores.positives;
    if (!is_filled(i, rules) || (!on_anchor && rows.empty())) continue;
    const Row& row = on_anchor                        ? scores.anchor
                     : comparison.part == "negatives" ? negative
                                                      : positive;
    PairChoice choice = !on_anchor && by_probability
                            ? choose_by_probability(rows, comparison)
                            : choose(row[comparison.right], row[comparison.foil], rules);
    bool is_stale = rules.is_compat && i > kRelOnPositives;
    outcome.values[2 * i] = choice.confidence;
    outcome.values[2 * i + 1] =
        is_stale ? outcome.values[2 * kRelOnPositives + 1]
                 : metrics::credit_of(
                       choice.is_correct, choice.is_correct || choice.is_tied, rules.ties);
    if (choice.is_tied) outcome.tied_columns |= uint64_t{1} << (2 * i + 1);
  }
  const Row& anchor = scores.anchor;
  double weaker = std::min(outcome.values[1], outcome.values[3]);
  if (weaker != 0.5) outcome.is_correct = weaker == 1.0;
  outcome.margin = std::min(anchor[kR1] - anchor[kR3], anchor[kR1] - anchor[kR2]);
  return outcome;
}

}  // namespace snellen::tasks::probe_r
