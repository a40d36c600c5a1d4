// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/summary.h"

#include <cmath>

#include <map>
#include <optional>

#include <fmt/format.h>

namespace snellen::report {

std::string shown(double value) {
  if (std::isnan(value)) return "undefined";
  return fmt::format("{:.4f}", value);
}

namespace {

constexpr std::string_view kChanceEnding = "_chance";

std::map<std::string, double> chances_of(const store::Results& results) {
  std::map<std::string, double> chances;
  for (const metrics::Measurement& one : results.metrics) {
    if (one.id.ends_with(kChanceEnding))
      chances[one.id.substr(0, one.id.size() - kChanceEnding.size())] = one.value;
  }
  return chances;
}

}  // namespace

Table metrics_table(const store::Results& results, bool with_breakdowns) {
  Table table({{"metric"},
               {"value", true},
               {"interval"},
               {"n", true},
               {"ties", true},
               {"chance", true},
               {"note"}});
  const std::map<std::string, double> chances = chances_of(results);
  for (const metrics::Measurement& one : results.metrics) {
    if (one.id.ends_with(kChanceEnding)) continue;
    const auto found = chances.find(one.id);
    const std::optional<double> chance =
        found != chances.end() ? std::optional(found->second) : one.chance;
    bool is_breakdown = one.id.find("/by-category/") != std::string::npos ||
                        one.id.find("/by-tag/") != std::string::npos;
    if (!with_breakdowns && is_breakdown) continue;
    std::string interval =
        one.low && one.high
            ? fmt::format("[{}, {}] {}", shown(*one.low), shown(*one.high), one.interval)
            : "";
    table.add({one.id,
               shown(one.value),
               interval,
               std::to_string(one.n),
               std::to_string(one.ties),
               chance ? shown(*chance) : "",
               one.reason});
  }
  return table;
}

}  // namespace snellen::report
