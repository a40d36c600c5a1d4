// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/multiple.h"

#include <algorithm>
#include <numeric>

#include "snellen/base/error.h"

namespace snellen::stats {
namespace {

// Positions in ascending order of p; equal values get equal adjustments, so their order does not
// matter.
std::vector<size_t> ascending(std::span<const double> p_values) {
  for (size_t i = 0; i < p_values.size(); ++i) {
    if (!(p_values[i] >= 0.0 && p_values[i] <= 1.0)) {
      throw Error(ErrorCode::kInvalidInput,
                  fmt::format("p-value is {}, expected 0 to 1", p_values[i]),
                  fmt::format("test {}", i),
                  "leave tests without a p-value out before adjusting");
    }
  }
  std::vector<size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(
      order.begin(), order.end(), [&](size_t a, size_t b) { return p_values[a] < p_values[b]; });
  return order;
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
  std::vector<size_t> order = ascending(p_values);
  std::vector<double> adjusted(p_values.size());
  double highest = 0.0;
  for (size_t rank = 0; rank < order.size(); ++rank) {
    double scaled = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    highest = std::max(highest, std::min(1.0, scaled));
    adjusted[order[rank]] = highest;
  }
  return adjusted;
}

}  // namespace snellen::stats
