// SPDX-License-Identifier: Apache-2.0
// Which metrics stand for a task. tests/metric_names holds these and the ids that figures and
// published tables name against what the tasks declare.
#pragma once

#include <span>
#include <string_view>

namespace snellen::report {

// The ids that start and end so; the two may overlap.
struct MetricRule {
  std::string_view start, end;

  bool names(std::string_view id) const { return id.starts_with(start) && id.ends_with(end); }
};

// In the order of a summary.
std::span<const MetricRule> headline_rules();

}  // namespace snellen::report
