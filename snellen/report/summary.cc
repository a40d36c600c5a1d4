// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/python_json.h"

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

bool is_breakdown(const std::string& id) {
  return id.find("/by-category/") != std::string::npos || id.find("/by-tag/") != std::string::npos;
}

// The rows that are shown, each with its chance: averages over parts first, breakdowns last.
struct Row {
  const metrics::Measurement* one;
  std::optional<double> chance;
};

std::vector<Row> rows_of(const store::Results& results, bool with_breakdowns) {
  const std::map<std::string, double> chances = chances_of(results);
  std::vector<Row> rows;
  for (const metrics::Measurement& one : results.metrics) {
    if (one.id.ends_with(kChanceEnding)) continue;
    if (!with_breakdowns && is_breakdown(one.id)) continue;
    const auto found = chances.find(one.id);
    rows.push_back({&one, found != chances.end() ? std::optional(found->second) : one.chance});
  }
  auto place = [](const Row& row) {
    if (is_breakdown(row.one->id)) return 2;
    return row.one->id.find("/average/") != std::string::npos ? 0 : 1;
  };
  std::stable_sort(
      rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return place(a) < place(b); });
  return rows;
}

std::string shown_bounds(const metrics::Measurement& one) {
  return one.low && one.high ? fmt::format("[{}, {}]", shown(*one.low), shown(*one.high)) : "";
}

// The bounds, or in a few words why there are none.
std::string bounds_or_reason(const metrics::Measurement& one) {
  const size_t few = one.reason.find("too few");
  if (one.low || few == std::string::npos) return shown_bounds(one);
  return one.reason.substr(few, one.reason.find(" for an interval", few) - few);
}

std::string digits(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? python_float(*value) : "";
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
  for (const auto& [one, chance] : rows_of(results, with_breakdowns)) {
    table.add({one->id,
               shown(one->value),
               one->low ? shown_bounds(*one) + " " + one->interval : "",
               std::to_string(one->n),
               std::to_string(one->ties),
               chance ? shown(*chance) : "",
               one->reason});
  }
  return table;
}

std::string metrics_text(const store::Results& results, bool with_breakdowns, size_t width) {
  Table table({{"metric"}, {"value", true}, {"interval"}, {"n", true}, {"chance", true}});
  std::set<std::string> methods;
  std::vector<const metrics::Measurement*> undefined;
  std::vector<std::string> noted;
  uint64_t num_tied = 0;
  for (const auto& [one, chance] : rows_of(results, with_breakdowns)) {
    if (std::isnan(one->value)) {
      undefined.push_back(one);
      continue;
    }
    if (!one->interval.empty()) methods.insert(one->interval);
    if (!one->reason.empty()) noted.push_back(one->id + ": " + one->reason);
    num_tied += one->ties > 0 ? 1 : 0;
    table.add({one->id,
               shown(one->value),
               bounds_or_reason(*one),
               std::to_string(one->n),
               chance ? shown(*chance) : ""});
  }
  std::string text = table.as_text(width);
  if (!methods.empty()) text += fmt::format("intervals: {}\n", fmt::join(methods, ", "));
  if (num_tied > 0) text += fmt::format("ties in {} metrics: --wide shows them\n", num_tied);
  const auto add = [&](const std::string& line) { text += wrapped_text(line, width) + "\n"; };
  if (noted.size() == 1) add(noted.front());
  if (noted.size() > 1)
    add(fmt::format("{} (and {} more notes: --wide)", noted.front(), noted.size() - 1));
  if (!undefined.empty())
    add(fmt::format("{} metrics have no value, for example {}: {}",
                    undefined.size(),
                    undefined.front()->id,
                    undefined.front()->reason));
  return text;
}

Table metrics_numbers(const store::Results& results, bool with_breakdowns) {
  Table table({{"metric"},
               {"value"},
               {"low"},
               {"high"},
               {"interval"},
               {"n"},
               {"ties"},
               {"chance"},
               {"higher_is_better"},
               {"note"}});
  for (const auto& [one, chance] : rows_of(results, with_breakdowns)) {
    table.add({one->id,
               digits(one->value),
               digits(one->low),
               digits(one->high),
               one->interval,
               std::to_string(one->n),
               std::to_string(one->ties),
               digits(chance),
               one->higher_is_better ? "true" : "false",
               one->reason});
  }
  return table;
}

std::string tie_warning(const store::Results& results) {
  const metrics::Measurement* worst = nullptr;
  for (const metrics::Measurement& one : results.metrics) {
    if (one.n == 0 || 2 * one.ties <= one.n || is_breakdown(one.id)) continue;
    if (worst == nullptr || one.ties * worst->n > worst->ties * one.n) worst = &one;
  }
  if (worst == nullptr) return "";
  return fmt::format(
      "most decisions tie: {} of {} in {}. The model gives equal scores, so that these numbers say "
      "little about it; check its tokenizer and what it was shown.",
      worst->ties,
      worst->n,
      worst->id);
}

}  // namespace snellen::report
