// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/open_ended.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "snellen/base/error.h"
#include "snellen/text/unicode_case.h"

namespace snellen::metrics {
namespace {

// The sums of one label, metric by metric.
struct LabelSums {
  LabelSums(const std::string& name, size_t num_metrics) : sums(num_metrics), counts(num_metrics) {
    label.label = name;
  }

  OpenLabel label;
  std::vector<double> sums;
  std::vector<uint64_t> counts;
};

void add_default(LabelSums& into, const OpenOutcome& outcome) {
  if (outcome.is_missing) return;
  for (size_t m = 0; m < into.sums.size(); ++m) {
    if (!outcome.scores[m]) continue;
    into.sums[m] += *outcome.scores[m];
    ++into.counts[m];
  }
}

void add_compat(LabelSums& into,
                const OpenOutcome& outcome,
                const std::vector<OpenMetric>& metrics) {
  for (size_t m = 0; m < into.sums.size(); ++m) {
    ++into.counts[m];
    if (outcome.is_missing) continue;
    if (outcome.is_empty && metrics[m].is_undefined_for_empty) {
      into.sums[m] += std::numeric_limits<double>::quiet_NaN();
    } else {
      into.sums[m] += outcome.scores[m].value_or(0);
    }
  }
}

OpenSpread spread_of(const std::vector<OpenLabel>& labels, size_t metric) {
  std::optional<double> low;
  std::optional<double> high;
  double sum = 0;
  size_t count = 0;
  for (const OpenLabel& label : labels) {
    if (!label.means[metric]) continue;
    double mean = *label.means[metric];
    if (!high || mean > *high) high = mean;
    if (!low || mean < *low) low = mean;
    sum += mean;
    ++count;
  }
  if (count == 0) return {};
  return {.range = *high - *low, .average = sum / static_cast<double>(count)};
}

}  // namespace

std::vector<OpenMetric> open_metrics(bool has_axis, bool has_subjectivity) {
  std::vector<OpenMetric> metrics = {{.name = "VADER"}};
  if (has_subjectivity) metrics.push_back({.name = "Subjectivity"});
  if (has_axis) metrics.push_back({.name = "Gender polarity", .is_undefined_for_empty = true});
  return metrics;
}

OpenOutcome judge_open(const OpenRecord& record,
                       const text::Vader& vader,
                       const GenderAxis* axis,
                       const text::Subjectivity* subjectivity) {
  OpenOutcome outcome{.id = record.id, .label = record.label, .is_missing = !record.answer};
  std::string_view answer = record.answer ? std::string_view(*record.answer) : std::string_view{};
  outcome.is_empty = !outcome.is_missing && text::trimmed(answer).empty();
  if (outcome.is_missing) {
    outcome.scores.assign(1 + (axis != nullptr ? 1 : 0) + (subjectivity != nullptr ? 1 : 0),
                          std::nullopt);
    return outcome;
  }
  outcome.scores.emplace_back(vader.score(answer).compound);
  if (subjectivity != nullptr) outcome.scores.emplace_back(subjectivity->score(answer));
  if (axis != nullptr) outcome.scores.push_back(axis->polarity(answer));
  return outcome;
}

OpenReport aggregate_open(std::span<const OpenOutcome> outcomes,
                          std::vector<OpenMetric> metrics,
                          bool is_compat) {
  std::vector<LabelSums> all;
  std::unordered_map<std::string, size_t> numbers;
  for (const OpenOutcome& outcome : outcomes) {
    SNELLEN_CHECK(outcome.scores.size() == metrics.size());
    auto [place, is_new] = numbers.try_emplace(outcome.label, all.size());
    if (is_new) all.emplace_back(outcome.label, metrics.size());
    LabelSums& sums = all[place->second];
    if (outcome.is_missing) {
      ++sums.label.n_missing;
    } else {
      ++sums.label.n;
    }
    if (outcome.is_empty) ++sums.label.n_empty;
    if (is_compat) {
      add_compat(sums, outcome, metrics);
    } else {
      add_default(sums, outcome);
    }
  }
  OpenReport report;
  report.metrics = std::move(metrics);
  for (LabelSums& sums : all) {
    for (size_t m = 0; m < report.metrics.size(); ++m) {
      sums.label.means.push_back(
          sums.counts[m] == 0
              ? std::nullopt
              : std::optional<double>(sums.sums[m] / static_cast<double>(sums.counts[m])));
    }
    report.labels.push_back(std::move(sums.label));
  }
  for (size_t m = 0; m < report.metrics.size(); ++m)
    report.spreads.push_back(spread_of(report.labels, m));
  return report;
}

}  // namespace snellen::metrics
