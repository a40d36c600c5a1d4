// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "snellen/metrics/metric.h"

namespace snellen::metrics {

// The scores that were asked for, in order, and which of them is the right one's. For items with
// one right pair.
struct Candidates {
  std::vector<double> scores;
  size_t right = 0;
};

inline Candidates candidates_of(const ScoredItem& item) {
  Candidates all;
  for (size_t place = 0; place < item.shape.is_asked.size(); ++place) {
    if (item.shape.is_asked[place] == 0) continue;
    if (item.shape.is_right[place] != 0) all.right = all.scores.size();
    all.scores.push_back(item.scores[place]);
  }
  return all;
}

}  // namespace snellen::metrics
