// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/visdial/set_overlap.h"

#include <algorithm>

#include "snellen/base/error.h"

namespace snellen::metrics::visdial {

SetOverlap set_overlap(const std::vector<bool>& members, const std::vector<bool>& human) {
  SNELLEN_CHECK(members.size() == human.size());
  double both = 0;
  double any = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    both += members[i] && human[i];
    any += members[i] || human[i];
  }
  const auto count = [](const std::vector<bool>& set) {
    return static_cast<double>(std::count(set.begin(), set.end(), true));
  };
  return {.precision = both / count(members), .recall = both / count(human), .iou = both / any};
}

}  // namespace snellen::metrics::visdial
