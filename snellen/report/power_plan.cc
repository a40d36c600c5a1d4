// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/power_plan.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/metrics/measurement.h"
#include "snellen/report/compare.h"
#include "snellen/report/paired_part.h"
#include "snellen/report/paired_row.h"
#include "snellen/report/run_pair.h"
#include "snellen/report/summary.h"
#include "snellen/report/table.h"

namespace snellen::report {
namespace {

constexpr size_t kTerminalWidth = 80;

void check_range(bool is_in, const char* flag, double value, const char* expected) {
  if (is_in) return;
  throw Error{ErrorCode::kUsage,
              fmt::format("{} is {}, expected {}", flag, value, expected),
              "power",
              "see snellen power --help"};
}

void check(const PowerRequest& request) {
  check_range(request.difference > 0.0 && std::isfinite(request.difference),
              "--difference",
              request.difference,
              "a number above 0");
  check_range(request.correlation > -1.0 && request.correlation < 1.0,
              "--correlation",
              request.correlation,
              "a number between -1 and 1");
  check_range(request.items_per_cluster >= 1.0 && std::isfinite(request.items_per_cluster),
              "--items-per-cluster",
              request.items_per_cluster,
              "at least 1");
  check_range(request.cluster_correlation >= 0.0 && request.cluster_correlation <= 1.0,
              "--cluster-correlation",
              request.cluster_correlation,
              "a number from 0 to 1");
  if (request.share) {
    check_range(*request.share > 0.0 && *request.share < 1.0,
                "--share",
                *request.share,
                "a number between 0 and 1");
  }
  if (request.pilots.size() > 2 || request.pilots.empty() == !request.share.has_value()) {
    throw Error{ErrorCode::kUsage,
                fmt::format("{} pilot runs and {} --share, expected one run, two, or a share",
                            request.pilots.size(),
                            request.share ? "a" : "no"),
                "power",
                "snellen power RUN --difference 0.02, or snellen power --share 0.6 --difference "
                "0.02"};
  }
}

[[noreturn]] void throw_unknown(const std::string& metric, const std::vector<std::string>& names) {
  throw Error{ErrorCode::kUsage,
              fmt::format("no metric '{}' that has a value per item", fit_text(metric)),
              "power --metric",
              fit_text(fmt::format("it may be one of {}", fmt::join(names, ", ")), 600)};
}

// The sd of the difference of two values of this variance and correlation.
double sd_of_difference(double variance, double correlation) {
  return std::sqrt(2.0 * variance * (1.0 - correlation));
}

void take_two(const PowerRequest& request, PowerPlan& plan) {
  Comparison comparison = compare_runs(request.pilots, {.num_items = 0});
  plan.warnings = comparison.warnings;
  std::vector<std::string> names;
  for (const ComparedRow& row : comparison.rows) {
    names.push_back(row.id);
    if (!(request.metric.empty() ? row.kind == RowKind::kTask : row.id == request.metric)) continue;
    plan.metric = row.id;
    plan.pilot_items = row.n;
    plan.pilot_clusters = row.num_clusters;
    plan.sd = row.sd;
    if (row.n == 0) return;
    double n = static_cast<double>(row.n);
    if (row.counts) {
      plan.discordant_share =
          static_cast<double>(row.counts->only_first + row.counts->only_second) / n;
    }
    plan.items_per_cluster = n / static_cast<double>(row.num_clusters);
    plan.design_effect = n / row.effective_n;
    return;
  }
  throw_unknown(request.metric, names);
}

// The values of one run's items, with what these share.
struct PilotValues {
  std::vector<double> values;
  std::vector<stats::UnitClusters> clusters;
  DistinctIds names;  // of the clusters
  bool is_share = false;
};

// The values of `column`, or the decisions where it is the record's number of columns.
void add_values(OpenRun& run, uint32_t task, uint32_t part, size_t column, PilotValues& all) {
  const store::TaskRecord& record = run.tasks[task];
  run.samples.for_each(task, part, [&](const store::Sample& sample) {
    if (sample.status != store::SampleStatus::kScored) return;
    bool is_decision = column == record.columns.size();
    if (is_decision ? !sample.is_correct.has_value() : column >= sample.values.size()) return;
    double value = is_decision ? (*sample.is_correct ? 1.0 : 0.0) : sample.values[column];
    if (!std::isfinite(value)) return;
    all.values.push_back(value);
    all.clusters.push_back(clusters_of(sample, all.names));
  });
}

PilotValues values_of(OpenRun& run, std::string& metric) {
  std::vector<std::string> names;
  PilotValues found;
  if (metric.empty() && !run.tasks.empty()) metric = run.tasks[0].name;
  for (uint32_t task = 0; task < run.tasks.size(); ++task) {
    const store::TaskRecord& record = run.tasks[task];
    names.push_back(record.name);
    if (record.name == metric) {
      found.is_share = true;
      for (uint32_t part = 0; part < record.parts.size(); ++part)
        add_values(run, task, part, record.columns.size(), found);
      return found;
    }
    for (uint32_t part = 0; part < record.parts.size(); ++part) {
      for (size_t column = 0; column < record.columns.size(); ++column) {
        names.push_back(
            metrics::metric_id(record.name, record.parts[part].name, record.columns[column].name));
        if (names.back() != metric) continue;
        found.is_share = record.columns[column].is_share;
        add_values(run, task, part, column, found);
        return found;
      }
    }
  }
  throw_unknown(metric, names);
}

void take_one(const PowerRequest& request, PowerPlan& plan) {
  OpenRun run = open_run(request.pilots[0]);
  plan.metric = request.metric;
  PilotValues pilot = values_of(run, plan.metric);
  PairedSums sums = sums_of(pilot.values, pilot.clusters, 1, {});
  plan.pilot_items = pilot.values.size();
  if (plan.pilot_items < 2) return;
  double variance = sums.moments[0].sample_variance();
  stats::MeanEstimate estimate = sums.sums.estimate(0);
  plan.pilot_clusters = estimate.num_clusters;
  double n = static_cast<double>(plan.pilot_items);
  plan.items_per_cluster = n / static_cast<double>(estimate.num_clusters);
  if (sums.is_shared) plan.design_effect = n / stats::effective_n(estimate, variance);
  plan.sd = sd_of_difference(variance, request.correlation);
  if (pilot.is_share) plan.discordant_share = std::min(1.0, plan.sd * plan.sd);
}

}  // namespace

PowerPlan plan_power(const PowerRequest& request) {
  check(request);
  PowerPlan plan{.difference = request.difference, .options = request.options};
  if (request.pilots.size() == 2) {
    take_two(request, plan);
  } else if (request.pilots.size() == 1) {
    take_one(request, plan);
  } else {
    plan.sd = sd_of_difference(*request.share * (1.0 - *request.share), request.correlation);
    plan.discordant_share = std::min(1.0, plan.sd * plan.sd);
    plan.items_per_cluster = request.items_per_cluster;
    plan.design_effect = 1.0 + (request.items_per_cluster - 1.0) * request.cluster_correlation;
  }
  if (!request.pilots.empty() && plan.pilot_items < 2) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("'{}' has {} items with a value, expected 2 or more",
                            fit_text(plan.metric),
                            plan.pilot_items),
                request.pilots[0].string(),
                "take a larger pilot run"};
  }
  std::optional<double> independent =
      plan.discordant_share
          ? stats::needed_paired_share(*plan.discordant_share, plan.difference, plan.options)
          : stats::needed_paired_mean(plan.sd, plan.difference, plan.options);
  if (!independent) return plan;
  constexpr double kMost = 1e18;  // fits a whole number
  plan.items = static_cast<uint64_t>(std::ceil(std::min(kMost, *independent * plan.design_effect)));
  plan.clusters = static_cast<uint64_t>(
      std::ceil(std::min(kMost, *independent * plan.design_effect / plan.items_per_cluster)));
  return plan;
}

std::string power_plan_as_text(const PowerPlan& plan) {
  std::string text;
  if (!plan.metric.empty()) {
    text += fmt::format("metric: {}\npilot: {} items, {} clusters\n",
                        fit_text(plan.metric, 120),
                        plan.pilot_items,
                        plan.pilot_clusters);
  }
  text += fmt::format("sd of an item's difference: {}\n", shown(plan.sd));
  if (plan.discordant_share)
    text += fmt::format("discordant items: {}\n", shown(*plan.discordant_share));
  text += fmt::format("design effect: {:.3g} ({:.3g} items per cluster)\n",
                      plan.design_effect,
                      plan.items_per_cluster);
  for (const std::string& line : plan.warnings)
    text += wrapped_text(fmt::format("warning: {}", line), kTerminalWidth) + "\n";
  if (!plan.items) {
    return text + fmt::format(
                      "no number of items is enough:\na difference of {:g} is above the "
                      "share of discordant items\n",
                      plan.difference);
  }
  return text + fmt::format(
                    "needed for a difference of {:g} (alpha {:g}, power {:g}):\n{} items, {} "
                    "clusters\n",
                    plan.difference,
                    plan.options.alpha,
                    plan.options.power,
                    *plan.items,
                    *plan.clusters);
}

std::string power_plan_as_json(const PowerPlan& plan) {
  using Json = nlohmann::ordered_json;
  Json json = {{"schema", 1},
               {"metric", plan.metric.empty() ? Json() : Json(fit_text(plan.metric, 1000))},
               {"difference", plan.difference},
               {"alpha", plan.options.alpha},
               {"power", plan.options.power},
               {"sd", plan.sd},
               {"discordant_share", plan.discordant_share ? Json(*plan.discordant_share) : Json()},
               {"items_per_cluster", plan.items_per_cluster},
               {"design_effect", plan.design_effect},
               {"items", plan.items ? Json(*plan.items) : Json()},
               {"clusters", plan.clusters ? Json(*plan.clusters) : Json()},
               {"pilot_items", plan.pilot_items},
               {"pilot_clusters", plan.pilot_clusters},
               {"warnings", plan.warnings}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace snellen::report
