// SPDX-License-Identifier: Apache-2.0
// A comparison for a terminal: what was found first, and nothing that needs a wide screen.
#include <cmath>

#include <fmt/format.h>

#include "snellen/report/compare_text.h"
#include "snellen/report/stored_run.h"

namespace snellen::report {
namespace {

std::string share(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.3f}", value);
}

std::string difference(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:+.3f}", value);
}

// The adjusted p, with a star where it is a finding.
std::string starred_p(const ComparedRow& row) {
  if (!row.p_holm) return "";
  const bool is_found = *row.p_holm < kFindingAlpha && row.difference != 0.0;
  return shown_p(row.p_holm, row) + (is_found ? " *" : "  ");
}

Table rows_table(const Comparison& comparison, size_t run, bool of_metrics) {
  Table table({{of_metrics ? "metric" : "decisions"},
               {"A", true},
               {comparison.runs[run].label, true},
               {"difference", true},
               {"interval"},
               {"n", true},
               {"p", true}});
  for (const ComparedRow& row : comparison.rows) {
    if (row.run != run || (row.kind == RowKind::kColumn) != of_metrics) continue;
    table.add({fit_text(row.id),
               share(row.first),
               share(row.second),
               difference(row.difference),
               row.interval
                   ? fmt::format(
                         "[{}, {}]", difference(row.interval->low), difference(row.interval->high))
                   : "none",
               std::to_string(row.n),
               starred_p(row)});
  }
  return table;
}

Table items_table(const Comparison& comparison, size_t run) {
  auto word = [](const std::optional<bool>& is_right) {
    return is_right ? (*is_right ? "right" : "wrong") : "-";
  };
  Table table({{"furthest apart"},
               {"A"},
               {comparison.runs[run].label},
               {"margin A", true},
               {"margin " + comparison.runs[run].label, true}});
  for (const ComparedItem& one : comparison.items) {
    if (one.run != run) continue;
    table.add({fmt::format("{} {}", fit_text(one.task), fit_text(one.what.item)),
               word(one.what.first_right),
               word(one.what.second_right),
               share(one.what.first_margin),
               share(one.what.second_margin)});
  }
  return table;
}

Table pooled_table(const Comparison& comparison, size_t run) {
  const std::string& label = comparison.runs[run].label;
  Table table({{"pooled, each run over its own items"},
               {"A", true},
               {label, true},
               {"n of A", true},
               {"n of " + label, true}});
  for (const PooledRow& row : comparison.pooled) {
    if (row.run != run) continue;
    table.add({fit_text(row.id),
               share(row.first),
               share(row.second),
               std::to_string(row.first_n),
               std::to_string(row.second_n)});
  }
  return table;
}

Table ranks_table(const Comparison& comparison) {
  Table table({{"rank", true}, {"between"}, {"run"}, {"right", true}, {"n", true}, {"task"}});
  for (const RankRow& one : comparison.ranks)
    table.add({std::to_string(one.rank),
               fmt::format("{} to {}", one.low, one.high),
               comparison.runs[one.run].label,
               share(one.value),
               std::to_string(one.n),
               fit_text(one.task)});
  return table;
}

// Where not all items of both runs could be compared.
std::string coverage_lines(const Comparison& comparison) {
  std::string text;
  for (const Coverage& one : comparison.coverage) {
    if (one.is_whole()) continue;
    text += fmt::format("{}{}{}: {} items are in both; A scored {}, {} scored {}\n",
                        fit_text(one.task),
                        one.part.empty() ? "" : "/",
                        fit_text(one.part),
                        one.common,
                        one.first_scored,
                        comparison.runs[one.run].label,
                        one.second_scored);
  }
  return text;
}

}  // namespace

std::string comparison_as_narrow_text(const Comparison& comparison, size_t width) {
  std::string text;
  auto add = [&](const Table& table) {
    if (!table.is_empty()) text += table.as_text(width) + "\n";
  };
  Table runs({{"run"}, {"model"}, {"folder"}});
  for (const ComparedRun& run : comparison.runs)
    runs.add({run.label, fit_text(run.model), fit_text(run.folder)});
  add(runs);
  for (size_t run = 1; run < comparison.runs.size(); ++run) {
    add(rows_table(comparison, run, /*of_metrics=*/false));
    add(rows_table(comparison, run, /*of_metrics=*/true));
    add(pooled_table(comparison, run));
    add(items_table(comparison, run));
  }
  add(ranks_table(comparison));
  text += coverage_lines(comparison);
  for (const std::string& line : comparison.warnings)
    text += wrapped_text("warning: " + line, width) + "\n";
  return text +
         wrapped_text(
             fmt::format("Differences are later run - A, over the items that both scored, "
                         "with {:g} % intervals. p is adjusted by Holm's method; * marks a "
                         "difference found at {}. --wide shows tests, ties, counts and what "
                         "could have been found.",
                         comparison.options.confidence * 100,
                         kFindingAlpha),
             width) +
         "\n";
}

}  // namespace snellen::report
