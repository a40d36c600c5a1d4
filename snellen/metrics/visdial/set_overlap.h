// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace snellen::metrics::visdial {

// How a set of candidates agrees with the one that people chose, as fractions.
struct SetOverlap {
  double precision = 0;  // share of the set that people chose
  double recall = 0;     // share of people's set that it has
  double iou = 0;        // intersection over union
};
// One flag per candidate, as many in both; both sets have a member, or the fraction is NaN.
SetOverlap set_overlap(const std::vector<bool>& members, const std::vector<bool>& human);

}  // namespace snellen::metrics::visdial
