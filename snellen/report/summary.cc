// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/summary.h"

#include <cmath>

#include <fmt/format.h>

namespace snellen::report {

std::string shown(double value) {
  if (std::isnan(value)) return "undefined";
  return fmt::format("{:.4f}", value);
}

Table metrics_table(const store::Results& results, bool with_breakdowns) {
  Table table({{"metric"},
               {"value", true},
               {"interval"},
               {"n", true},
               {"ties", true},
               {"chance", true},
               {"note"}});
  for (const metrics::Measurement& one : results.metrics) {
    if (!with_breakdowns && one.id.find("/by-category/") != std::string::npos) continue;
    std::string interval =
        one.low && one.high
            ? fmt::format("[{}, {}] {}", shown(*one.low), shown(*one.high), one.interval)
            : "";
    table.add({one.id,
               shown(one.value),
               interval,
               std::to_string(one.n),
               std::to_string(one.ties),
               one.chance ? shown(*one.chance) : "",
               one.reason});
  }
  return table;
}

}  // namespace snellen::report
