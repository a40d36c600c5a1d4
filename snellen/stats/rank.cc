// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/rank.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::stats {
namespace {

std::vector<double> sorted(std::span<const double> scores, std::string_view side) {
  for (size_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i])) {
      throw Error(ErrorCode::kInvalidInput,
                  "score is not a number",
                  fmt::format("{} {}", side, i),
                  "leave failed items out before ranking");
    }
  }
  std::vector<double> copy(scores.begin(), scores.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

}  // namespace

std::optional<double> auroc(std::span<const double> positives, std::span<const double> negatives) {
  std::vector<double> high = sorted(positives, "positive");
  std::vector<double> low = sorted(negatives, "negative");
  if (high.empty() || low.empty()) return std::nullopt;
  SNELLEN_CHECK(high.size() <= UINT32_MAX &&
                low.size() <= UINT32_MAX / 2);  // the count fits 64 bits
  uint64_t half_wins = 0;
  size_t below = 0;      // negatives < score
  size_t not_above = 0;  // negatives <= score
  for (double score : high) {
    while (below < low.size() && low[below] < score) ++below;
    not_above = std::max(not_above, below);
    while (not_above < low.size() && low[not_above] <= score) ++not_above;
    half_wins += below + not_above;
  }
  return static_cast<double>(half_wins) /
         (2.0 * static_cast<double>(high.size()) * static_cast<double>(low.size()));
}

}  // namespace snellen::stats
