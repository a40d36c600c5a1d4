// SPDX-License-Identifier: Apache-2.0
// What the checks of sets, ranks and the toy data set share.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "snellen/cca/fit.h"
#include "snellen/metrics/visdial/ranking.h"
#include "snellen/stats/moments.h"
#include "snellen/stats/quantile.h"
#include "tests/golden_runner/golden.h"

namespace snellen::golden {

void expect_rows(Tally& tally, const cca::Rows& got, const Json& want, const std::string& what);
void expect_eigenvalues(Tally& tally, const cca::Projections& found, const Json& want);

// Means and standard deviations of the given answers' ranks.
class RankMeters {
 public:
  void add(uint32_t rank) {
    const metrics::visdial::RankValues values = metrics::visdial::rank_values(rank);
    ranks_.push_back(values.rank);
    rank_.add(values.rank);
    for (size_t i = 0; i < recalls_.size(); ++i) recalls_[i].add(100 * values.recalls[i]);
    reciprocal_.add(values.reciprocal);
  }
  void compare(Tally& tally, const Json& want) {
    const std::array<std::pair<const char*, const stats::Moments*>, 5> named = {
        {{"MR", &rank_},
         {"R1", recalls_.data()},
         {"R5", recalls_.data() + 1},
         {"R10", recalls_.data() + 2},
         {"MRR", &reciprocal_}}};
    for (const auto& [name, values] : named) {
      tally.near(values->mean(), want[name], 1e-9, name);
      tally.near(values->sample_sd(), want["std"][name], 1e-9, name);
    }
    std::sort(ranks_.begin(), ranks_.end());
    tally.near(stats::quantile(ranks_, 0.5), want["median"], 1e-9, "median");
  }

 private:
  std::vector<double> ranks_;
  stats::Moments rank_;
  std::array<stats::Moments, 3> recalls_;
  stats::Moments reciprocal_;
};

}  // namespace snellen::golden
