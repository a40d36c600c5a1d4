// SPDX-License-Identifier: Apache-2.0
// Weights between those of an original and of a fine-tuned model, and what each share of the latter
// scores.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/report/table.h"

namespace snellen::report {

struct AlphaRow {
  double alpha = 0;
  std::string folder;  // where the weights are
  std::vector<metrics::Measurement> scores;

  // Of a name; nothing where it is undefined.
  std::optional<double> value(const std::string& name) const;
};

struct AlphaRule {
  std::string name;         // of the score that is to be high
  double most_drop = 0.03;  // of "naming", against alpha 0: the choice falls by less
};

// The place of the row that is best by the rule; of equal ones that with the least alpha. Nothing
// when no row has the score. Needs a row with alpha 0; where naming is undefined there nothing is
// held against a row.
std::optional<size_t> best_alpha(std::span<const AlphaRow> rows, const AlphaRule& rule);

// A row an alpha, "value (low to high)" in percent for each score; `chosen` is marked with a star.
Table alpha_table(std::span<const AlphaRow> rows, std::optional<size_t> chosen);
// A panel a score, over alpha.
std::string alpha_curve_svg(std::span<const AlphaRow> rows, std::optional<size_t> chosen);

}  // namespace snellen::report
