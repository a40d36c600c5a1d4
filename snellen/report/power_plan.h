// SPDX-License-Identifier: Apache-2.0
// How many items, or clusters of items, a comparison of two models needs to find a difference.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/stats/power.h"

namespace snellen::report {

// What is known comes from two pilot runs over the same items, from one, or from numbers.
struct PowerRequest {
  std::vector<std::filesystem::path> pilots = {};
  std::string metric = {};  // task/part/metric, or task for its decisions; empty: the first task's
  double difference = 0;    // the true difference to find, above 0, in the unit of the values
  stats::PowerOptions options = {};
  // Between the two models' values of an item; two pilot runs say it themselves.
  double correlation = 0.5;
  // Without a pilot:
  std::optional<double> share = std::nullopt;
  double items_per_cluster = 1;
  double cluster_correlation = 0;  // between the differences of two items of one cluster
};

struct PowerPlan {
  std::string metric = {};  // empty without a pilot
  double difference = 0;
  stats::PowerOptions options = {};
  double sd = 0;                                          // of an item's difference
  std::optional<double> discordant_share = std::nullopt;  // of right/wrong items
  double items_per_cluster = 1;
  double design_effect = 1;  // items that tell as much as one independent item
  // Nothing when no number of items is enough: the difference is above the discordant share.
  std::optional<uint64_t> items = std::nullopt;
  std::optional<uint64_t> clusters = std::nullopt;
  uint64_t pilot_items = 0;
  uint64_t pilot_clusters = 0;
  std::vector<std::string> warnings = {};
};

// Throws kUsage for numbers out of range, an unknown metric, or neither pilot nor share;
// kInvalidInput and kNotFound for folders that cannot be read.
PowerPlan plan_power(const PowerRequest& request);

std::string power_plan_as_text(const PowerPlan& plan);
std::string power_plan_as_json(const PowerPlan& plan);

}  // namespace snellen::report
