// SPDX-License-Identifier: Apache-2.0
// The published P+T table (docs/spec/vilma.md 9) and our row in it: orientation, never a pass mark.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "snellen/metrics/vilma/vilma_suite.h"

namespace snellen::metrics {

struct VilmaLeader {
  std::string model;
  std::string type;  // "text", "image", "video", "-" for guessing, "ours"
  std::array<std::optional<double>, 5> percents;  // by kVilmaTasks
  std::optional<double> average;  // unweighted mean of the five; nothing unless all are there
  bool is_ours = false;
};

// The 17 rows of the public leaderboard, as published.
std::vector<VilmaLeader> published_vilma_leaders();

// The published rows with ours, best average first; equal averages keep the published order, ours
// last among them. Without all five tasks our row has no average and stands at the end.
std::vector<VilmaLeader> vilma_leaders_with(const VilmaSuite& suite, std::string model);

}  // namespace snellen::metrics
