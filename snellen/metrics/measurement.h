// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace snellen::metrics {

// One number of a run, as results.json holds it: with its count, its interval and, where there is
// none, the reason.
struct Measurement {
  std::string id = {};                                      // task/part/metric
  double value = std::numeric_limits<double>::quiet_NaN();  // NaN: undefined, see reason
  uint64_t n = 0;
  std::optional<double> low = std::nullopt;
  std::optional<double> high = std::nullopt;
  std::string interval = {};  // its method, see docs/stats/intervals.md; empty when there is none
  uint64_t ties = 0;
  uint64_t undefined = 0;  // items without a defined value, left out; results.json has the reason
  std::string reason = {};
  bool higher_is_better = true;
  std::optional<double> chance = std::nullopt;
};

// "task/part/name", without what is empty.
inline std::string metric_id(const std::string& task,
                             const std::string& part,
                             const std::string& name) {
  std::string id = task;
  for (const std::string* more : {&part, &name})
    if (!more->empty()) id.append("/").append(*more);
  return id;
}

}  // namespace snellen::metrics
