// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "snellen/metrics/metric.h"

namespace snellen::metrics {

// Is the right one of several texts on top? (docs/spec/probe.md 3.6)
struct TopChoice {
  double confidence;  // softmax share of the right text
  bool is_correct;    // the first maximum is the right text
  bool is_tied;       // another text has the same score as the maximum
  bool is_best;       // no text scores above the right one

  // With a tie rule, the first maximum is nothing special: only a right text that shares the
  // maximum is decided by it.
  double credit(Ties ties) const { return credit_of(is_best && !is_tied, is_best, ties); }
};

TopChoice top_choice(std::span<const double> scores, size_t right);

// The same for an item: the right one must beat every other that is asked; a tie with the best of
// them goes by the item's rule. Values: credit and confidence.
Judged judge_choice(const ScoredItem& item);
// Several scores, one of them right.
std::optional<std::string> choice_misfit(const ItemShape& shape, const char* name);

}  // namespace snellen::metrics
