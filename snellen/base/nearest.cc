// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/nearest.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace snellen {
namespace {

// Names longer than this are compared by their start only, so that a hostile name costs little.
constexpr size_t kLongestName = 64;

// Optimal string alignment distance.
size_t edit_distance(std::string_view a, std::string_view b) {
  a = a.substr(0, kLongestName);
  b = b.substr(0, kLongestName);
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t best = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      best = std::min({best, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, cost[i - 2][j - 2] + 1);
      }
      cost[i][j] = best;
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known) {
  struct Near {
    size_t distance;
    size_t position;
  };
  std::vector<Near> near;
  for (size_t i = 0; i < known.size(); ++i) {
    size_t distance = edit_distance(name, known[i]);
    if (distance <= std::max<size_t>(1, name.size() / 2)) near.push_back({distance, i});
  }
  std::stable_sort(near.begin(), near.end(), [](const Near& a, const Near& b) {
    return a.distance < b.distance;
  });
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min<size_t>(3, near.size()); ++i)
    names.push_back(known[near[i].position]);
  return names;
}

std::string suggest(std::string_view name, std::span<const std::string> known) {
  std::vector<std::string> near = nearest_names(name, known);
  if (near.empty()) return fmt::format("known: {}", fmt::join(known, ", "));
  return fmt::format("did you mean '{}'?", fmt::join(near, "' or '"));
}

}  // namespace snellen
