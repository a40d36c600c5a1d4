// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/agreement.h"

#include <numeric>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/stats/sum.h"

namespace snellen::stats {

std::optional<double> fleiss_kappa(std::span<const uint64_t> counts, size_t num_categories) {
  SNELLEN_CHECK(num_categories > 0 && counts.size() % num_categories == 0);
  const size_t num_items = counts.size() / num_categories;
  if (num_items == 0) return std::nullopt;
  auto ratings_of = [&](size_t item) {
    auto row = counts.subspan(item * num_categories, num_categories);
    return std::accumulate(row.begin(), row.end(), uint64_t{0});
  };
  const uint64_t num_raters = ratings_of(0);
  std::vector<uint64_t> totals(num_categories);
  Sum agreement;
  for (size_t item = 0; item < num_items; ++item) {
    if (ratings_of(item) != num_raters) {
      throw Error(ErrorCode::kInvalidInput,
                  fmt::format("item has {} ratings, expected {}", ratings_of(item), num_raters),
                  fmt::format("item {}", item),
                  "keep items that all raters answered");
    }
    for (size_t category = 0; category < num_categories; ++category) {
      uint64_t count = counts[item * num_categories + category];
      totals[category] += count;
      // Ordered pairs of raters that agree.
      agreement.add(static_cast<double>(count) * (static_cast<double>(count) - 1.0));
    }
  }
  if (num_raters < 2) return std::nullopt;
  const double raters = static_cast<double>(num_raters);
  const double items = static_cast<double>(num_items);
  const double observed = agreement.value() / (items * raters * (raters - 1.0));
  Sum chance;
  bool is_one_category = false;
  for (uint64_t total : totals) {
    double share = static_cast<double>(total) / (items * raters);
    chance.add(share * share);
    is_one_category = is_one_category || total == num_items * num_raters;
  }
  if (is_one_category) return std::nullopt;
  return (observed - chance.value()) / (1.0 - chance.value());
}

}  // namespace snellen::stats
