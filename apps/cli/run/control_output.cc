// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/run/control_output.h"

#include <cmath>

#include <fmt/format.h>

#include "apps/cli/print.h"
#include "snellen/report/summary.h"

namespace snellen::cli {
namespace {

using metrics::ControlledMetric;
using metrics::RungResult;

constexpr size_t kUnbroken = 100'000;  // columns

std::string bounds(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? fmt::format(" [{:.3f}, {:.3f}]", *low, *high) : "";
}

std::string lost_of(const ControlledMetric& metric, const RungResult& rung) {
  const double value = rung.lost ? rung.lost->value : metric.clean.value - rung.score.value;
  if (!std::isfinite(value)) return "undefined";
  return fmt::format("{:+.3f}{}",
                     value == 0 ? 0.0 : -value,
                     rung.lost
                         ? bounds(rung.lost->high ? std::optional(-*rung.lost->high) : std::nullopt,
                                  rung.lost->low ? std::optional(-*rung.lost->low) : std::nullopt)
                         : "");
}

std::string shown_p(const std::optional<double>& p) {
  return p ? (*p < 0.001 ? fmt::format("{:.0e}", *p) : fmt::format("{:.3f}", *p)) : "";
}

report::Table narrow_table(const metrics::ControlReport& report) {
  report::Table table(
      {{"metric"}, {"control"}, {"score", true}, {"change from clean"}, {"p", true}});
  for (const ControlledMetric& metric : report.metrics) {
    if (!std::isfinite(metric.clean.value)) continue;
    table.add({metric.clean.id, "clean", report::shown(metric.clean.value), "", ""});
    for (const RungResult& rung : metric.rungs)
      table.add({"",
                 rung.rung,
                 report::shown(rung.score.value),
                 lost_of(metric, rung),
                 shown_p(rung.p_holm)});
  }
  return table;
}

report::Table wide_table(const metrics::ControlReport& report) {
  report::Table table({{"metric"},
                       {"control"},
                       {"score", true},
                       {"interval"},
                       {"n", true},
                       {"chance", true},
                       {"change from clean"},
                       {"p", true},
                       {"leak", true},
                       {"same answer", true},
                       {"ties", true},
                       {"items moved", true}});
  for (const ControlledMetric& metric : report.metrics) {
    const metrics::Measurement& clean = metric.clean;
    table.add({clean.id,
               "clean",
               report::shown(clean.value),
               bounds(clean.low, clean.high),
               std::to_string(clean.n),
               clean.chance ? report::shown(*clean.chance) : "",
               "",
               "",
               "",
               "",
               std::to_string(clean.ties),
               ""});
    for (const RungResult& rung : metric.rungs) {
      table.add({clean.id,
                 rung.rung,
                 report::shown(rung.score.value),
                 bounds(rung.score.low, rung.score.high),
                 std::to_string(rung.score.n),
                 clean.chance ? report::shown(*clean.chance) : "",
                 lost_of(metric, rung),
                 shown_p(rung.p_holm),
                 rung.leak_ratio ? report::shown(*rung.leak_ratio) : "",
                 rung.lost && rung.lost->agreement ? report::shown(*rung.lost->agreement) : "",
                 std::to_string(rung.score.ties),
                 rung.lost ? std::to_string(rung.num_moved) : ""});
    }
  }
  return table;
}

// Decisions that the two pictures of an item cannot make when they become the same.
void print_ties(const metrics::ControlReport& report) {
  for (const ControlledMetric& metric : report.metrics) {
    for (const RungResult& rung : metric.rungs) {
      if (rung.score.ties > metric.clean.ties)
        fmt::print("{} under {}: {} of {} decisions are ties\n",
                   metric.clean.id,
                   rung.rung,
                   rung.score.ties,
                   rung.score.n);
    }
  }
}

}  // namespace

void print_control(const metrics::ControlReport& report, const ShowOptions& show) {
  if (show.format == Format::kCsv) return;  // control.csv is in the run folder
  fmt::print("\nThe same items under controls\n\n");
  const bool is_narrow = show.format == Format::kText && !show.is_wide;
  print_table(is_narrow ? narrow_table(report) : wide_table(report), show.format, show.is_wide);
  fmt::print("\n");
  for (const ControlledMetric& metric : report.metrics) {
    for (const metrics::ControlVerdict& verdict : metric.verdicts)
      fmt::print("{}\n",
                 report::wrapped_text(fmt::format("{}: {}", metric.clean.id, verdict.sentence),
                                      show.is_wide ? kUnbroken : kTextWidth));
  }
  print_ties(report);
  for (const metrics::RungLeftOut& one : report.left_out)
    fmt::print("{} under {}: not applicable, {}\n", one.task, one.rung, one.reason);
}

}  // namespace snellen::cli
