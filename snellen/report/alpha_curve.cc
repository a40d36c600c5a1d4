// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/alpha_curve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/report/line_chart.h"

namespace snellen::report {
namespace {

constexpr const char* kNaming = "naming";
constexpr size_t kColumns = 4;

std::string shown(const metrics::Measurement& score) {
  if (!std::isfinite(score.value)) return "none";
  if (!score.low) return fmt::format("{:.1f}", 100 * score.value);
  return fmt::format(
      "{:.1f} ({:.1f} to {:.1f})", 100 * score.value, 100 * *score.low, 100 * *score.high);
}

}  // namespace

std::optional<double> AlphaRow::value(const std::string& name) const {
  for (const metrics::Measurement& score : scores) {
    if (score.id == name && std::isfinite(score.value)) return score.value;
  }
  return std::nullopt;
}

std::optional<size_t> best_alpha(std::span<const AlphaRow> rows, const AlphaRule& rule) {
  const auto original =
      std::find_if(rows.begin(), rows.end(), [](const AlphaRow& row) { return row.alpha == 0; });
  SNELLEN_CHECK(original != rows.end());
  const std::optional<double> before = original->value(kNaming);
  std::optional<size_t> best;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::optional<double> value = rows[i].value(rule.name), naming = rows[i].value(kNaming);
    const bool has_drifted =
        before && rows[i].alpha != 0 && (!naming || !(*before - *naming < rule.most_drop));
    if (!value || has_drifted) continue;
    const bool is_better =
        !best || *value > *rows[*best].value(rule.name) ||
        (*value == *rows[*best].value(rule.name) && rows[i].alpha < rows[*best].alpha);
    if (is_better) best = i;
  }
  return best;
}

Table alpha_table(std::span<const AlphaRow> rows, std::optional<size_t> chosen) {
  std::vector<Table::Heading> headings = {{"alpha"}};
  if (!rows.empty()) {
    for (const metrics::Measurement& score : rows.front().scores)
      headings.push_back({fmt::format("{} % (n {})", score.id, score.n)});
  }
  Table table(std::move(headings));
  for (size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = {fmt::format("{}{}", rows[i].alpha, chosen == i ? " *" : "")};
    for (const metrics::Measurement& score : rows[i].scores) cells.push_back(shown(score));
    table.add(std::move(cells));
  }
  return table;
}

std::string alpha_curve_svg(std::span<const AlphaRow> rows, std::optional<size_t> chosen) {
  std::vector<LineChart> charts;
  if (rows.empty()) return charts_as_svg(charts, kColumns);
  for (size_t i = 0; i < rows.front().scores.size(); ++i) {
    const metrics::Measurement& first = rows.front().scores[i];
    LineChart chart = {.title = first.id == kNaming ? "naming (drift)" : first.id,
                       .subtitle = fmt::format("n {}, interval 95 %", first.n),
                       .x_title = "alpha, share of the fine-tuned weights",
                       .lines = {{.name = first.id, .points = {}}},
                       .is_share = true,
                       .level = first.chance,
                       .level_name = "chance"};
    for (const AlphaRow& row : rows) {
      const metrics::Measurement& score = row.scores[i];
      chart.lines[0].points.push_back({row.alpha, score.value, score.low, score.high});
    }
    if (chosen) {
      chart.mark = rows[*chosen].alpha;
      chart.mark_name = fmt::format("alpha {}", rows[*chosen].alpha);
    }
    charts.push_back(std::move(chart));
  }
  return charts_as_svg(charts, kColumns);
}

}  // namespace snellen::report
