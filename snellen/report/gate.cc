// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/gate.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/base/hash.h"
#include "snellen/base/nearest.h"
#include "snellen/report/stored_run.h"
#include "snellen/store/results.h"

namespace snellen::report {
namespace {

constexpr size_t kNamesListed = 10;

using Measurements = std::map<std::string, metrics::Measurement>;

StoredRun finished_run(const std::filesystem::path& folder) {
  StoredRun run = read_stored_run(folder);
  if (run.is_finished()) return run;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("this run is {}, not finished, so nothing is passed on it",
                          fit_text(run.verdict, 40)),
              folder.string(),
              "run its command again to finish it, then gate"};
}

Measurements measurements_of(const StoredRun& run) {
  std::filesystem::path path = run.paths.results();
  const nlohmann::ordered_json& stamped = run.stamped({"files", "results.json"});
  store::Results results = store::read_results(path);
  if (stamped.is_string() && stamped.get<std::string>() != sha256_of_file(path)) {
    throw Error{ErrorCode::kInvalidInput,
                "its bytes differ from the stamp",
                path.string(),
                "see snellen verify, or run again with --overwrite"};
  }
  Measurements by_id;
  for (metrics::Measurement& one : results.metrics) {
    std::string id = one.id;
    if (!by_id.emplace(id, std::move(one)).second) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("holds the metric '{}' twice", fit_text(id)),
                  path.string(),
                  "run again with --overwrite"};
    }
  }
  return by_id;
}

const metrics::Measurement& find(const Measurements& all,
                                 const Requirement& requirement,
                                 const std::filesystem::path& folder) {
  auto found = all.find(requirement.metric);
  if (found != all.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [id, one] : all) names.push_back(id);
  std::vector<std::string> near = nearest_names(requirement.metric, names);
  std::string hint = fmt::format("did you mean '{}'?", fmt::join(near, "' or '"));
  if (near.empty()) {
    size_t more = names.size() - std::min(names.size(), kNamesListed);
    names.resize(names.size() - more);
    hint = fmt::format("it has {}{}",
                       fmt::join(names, ", "),
                       more > 0 ? fmt::format(" and {} more, see results.json", more) : "");
  }
  throw Error{ErrorCode::kUsage,
              fmt::format("no metric '{}' in {}", fit_text(requirement.metric), folder.string()),
              fmt::format("--require '{}'", fit_text(requirement.text, 120)),
              fit_text(hint, 600)};
}

std::optional<double> number_of(const metrics::Measurement& one, Bound bound) {
  std::optional<double> number = bound == Bound::kLow    ? one.low
                                 : bound == Bound::kHigh ? one.high
                                                         : one.value;
  if (number && !std::isfinite(*number)) return std::nullopt;
  return number;
}

// Why the measurement can meet nothing; empty when it can.
std::string obstacle(const metrics::Measurement& one, Bound bound, const char* whose) {
  if (one.n == 0)
    return fmt::format(
        "{} value is over no item{}", whose, one.reason.empty() ? "" : ": " + fit_text(one.reason));
  if (!std::isfinite(one.value))
    return fmt::format(
        "{} value is undefined{}", whose, one.reason.empty() ? "" : ": " + fit_text(one.reason));
  if (!number_of(one, bound)) return fmt::format("{} value has no interval", whose);
  return {};
}

// Shares lie between 0 and 1; Wilson's intervals are made for them alone.
bool is_share(const metrics::Measurement& one) {
  return one.interval.find("wilson") != std::string::npos;
}

GateCheck check(const Requirement& requirement,
                const metrics::Measurement& measured,
                const metrics::Measurement* baseline) {
  GateCheck result{.requirement = requirement, .measured = measured};
  result.reason = obstacle(measured, requirement.bound, "the run's");
  if (result.reason.empty()) result.compared = number_of(measured, requirement.bound);
  if (baseline == nullptr) {
    result.threshold = requirement.number;
  } else {
    result.baseline = *baseline;
    std::string missing = obstacle(*baseline, Bound::kPoint, "the baseline's");
    if (missing.empty()) result.threshold = baseline->value + requirement.number;
    if (result.reason.empty()) result.reason = missing;
  }
  result.is_met = result.compared && result.threshold &&
                  requirement.is_met_by(*result.compared, *result.threshold);
  const bool is_out_of_reach =
      result.threshold && (*result.threshold > 1.0 || *result.threshold < 0.0);
  if (!result.is_met && result.reason.empty() && is_share(measured) && is_out_of_reach)
    result.reason = "a share lies between 0 and 1: no run meets this (30 % is 0.30)";
  return result;
}

NotWorseCheck check_not_worse(const ComparedRow& row, double by) {
  NotWorseCheck result{.row = row, .by = by};
  if (!row.interval) {
    result.reason = row.reason.empty() ? "the difference has no interval" : row.reason;
    return result;
  }
  result.worst = row.higher_is_better ? row.interval->low : -row.interval->high;
  result.is_met = *result.worst > -by;
  return result;
}

bool is_asked_for(const ComparedRow& row, const std::vector<std::string>& metrics) {
  if (metrics.empty()) return row.kind == RowKind::kTask;
  return std::find(metrics.begin(), metrics.end(), row.id) != metrics.end();
}

void add_not_worse(const GateRequest& request, GateVerdict& verdict) {
  const NotWorse& asked = *request.not_worse;
  if (!(asked.by > 0.0 && std::isfinite(asked.by))) {
    throw Error{ErrorCode::kUsage,
                fmt::format("the margin is {}, expected a number above 0", asked.by),
                "gate --by",
                "for one point of a share give --by 0.01"};
  }
  verdict.base_model = finished_run(asked.base).model;
  std::vector<std::filesystem::path> folders = {asked.base, request.run};
  Comparison comparison = compare_runs(folders, asked.options);
  verdict.base = asked.base.string();
  verdict.warnings = comparison.warnings;
  for (const ComparedRow& row : comparison.rows) {
    if (is_asked_for(row, asked.metrics))
      verdict.not_worse.push_back(check_not_worse(row, asked.by));
  }
  for (const std::string& metric : asked.metrics) {
    bool is_there = std::any_of(comparison.rows.begin(),
                                comparison.rows.end(),
                                [&](const ComparedRow& row) { return row.id == metric; });
    if (is_there) continue;
    std::vector<std::string> names;
    for (const ComparedRow& row : comparison.rows) names.push_back(row.id);
    throw Error{ErrorCode::kUsage,
                fmt::format("no metric '{}' that both runs have item by item", fit_text(metric)),
                "gate --metric",
                fit_text(fmt::format("it may be one of {}", fmt::join(names, ", ")), 600)};
  }
}

uint64_t unscored_of(const StoredRun& run) {
  uint64_t count = 0;
  const nlohmann::ordered_json& tasks = run.stamped({"counts"});
  if (!tasks.is_object()) return 0;
  for (const auto& [task, counts] : tasks.items()) {
    for (const char* key : {"failed", "skipped"}) {
      if (counts.is_object() && counts.contains(key) && counts[key].is_number_unsigned())
        count += counts[key].get<uint64_t>();
    }
  }
  return count;
}

}  // namespace

bool GateVerdict::is_met() const {
  auto is_one_met = [](const auto& one) { return one.is_met; };
  return checks.size() + not_worse.size() > 0 &&
         std::all_of(checks.begin(), checks.end(), is_one_met) &&
         std::all_of(not_worse.begin(), not_worse.end(), is_one_met);
}

GateVerdict gate(const GateRequest& request) {
  const auto& all = request.requirements;
  bool asks_baseline = std::any_of(
      all.begin(), all.end(), [](const Requirement& one) { return one.is_against_baseline; });
  if (all.empty() && !request.not_worse) {
    throw Error{ErrorCode::kUsage,
                "no requirement",
                "gate",
                "add --require \"METRIC>=NUMBER\" or --not-worse-than RUN --by MARGIN"};
  }
  if (asks_baseline != request.baseline.has_value()) {
    throw Error{
        ErrorCode::kUsage,
        asks_baseline ? "a requirement names the baseline, but there is no --baseline RUN"
                      : "--baseline is given, but no requirement names it",
        "gate",
        asks_baseline ? "add --baseline RUN" : "write a requirement as \"METRIC>=baseline-0.02\""};
  }
  StoredRun run = finished_run(request.run);
  Measurements measured = measurements_of(run);
  Measurements before;
  std::string baseline_model;
  if (request.baseline) {
    const StoredRun baseline = finished_run(*request.baseline);
    baseline_model = baseline.model;
    before = measurements_of(baseline);
  }
  GateVerdict verdict{.run = request.run.string(),
                      .model = run.model,
                      .baseline = request.baseline ? request.baseline->string() : "",
                      .baseline_model = baseline_model,
                      .num_unscored = unscored_of(run),
                      .checks = {}};
  for (const Requirement& one : all) {
    const metrics::Measurement* baseline =
        one.is_against_baseline ? &find(before, one, *request.baseline) : nullptr;
    verdict.checks.push_back(check(one, find(measured, one, request.run), baseline));
  }
  if (request.not_worse) add_not_worse(request, verdict);
  return verdict;
}

}  // namespace snellen::report
