// SPDX-License-Identifier: Apache-2.0
// Which candidates of a dialog round mean the same as the given answer (docs/spec/visdial.md 5.5).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::builders::densevisdial {

enum class Rule {
  kSigma,      // S: within one standard deviation of the best candidate
  kMeanShift,  // M: the highest mode of a flat-kernel mean shift
  kWard,       // G: the highest of five Ward clusters
  kHuman,      // H: what people called relevant
};
// "S", "M", "G", "H"; the other way round it throws kUsage for any other letter.
std::string_view letter_of(Rule rule);
Rule rule_of(std::string_view letter);

// One flag for each candidate; the given answer is always a member and takes no part in the rule.
using Members = std::vector<bool>;

// `correlations` of all candidates with the given answer; at least three.
Members members_of(Rule rule, std::span<const double> correlations, size_t given);
// `relevance` of all candidates, as people saw it.
Members human_members(std::span<const double> relevance, size_t given);

struct MeanShift {
  double bandwidth = 0;
  std::vector<double> centres;  // descending
  std::vector<size_t> nearest;  // for each value, its centre; the first of equally near ones
};
// Mean shift in one dimension with scikit-learn's defaults: the bandwidth is the mean distance to
// the q-th nearest value, itself counted, q = 30 % of all.
MeanShift mean_shift(std::span<const double> values);

// What a set came to, for the statistics of a build.
struct SetFigures {
  uint64_t size = 0;
  double mean = 0;  // of the members' correlations
  double sd = 0;    // divisor size - 1; NaN for one member
};
SetFigures figures_of(const Members& members, std::span<const double> correlations);

}  // namespace snellen::builders::densevisdial
