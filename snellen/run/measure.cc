// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/measure.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/metrics/column_means.h"

namespace snellen::run {
namespace {

using metrics::ColumnMeans;
using metrics::MetricColumn;
using store::TaskRecord;

std::vector<MetricColumn> columns_of(const TaskRecord& record) {
  std::vector<MetricColumn> columns;
  for (const TaskRecord::Column& column : record.columns) {
    columns.push_back({.name = column.name,
                       .is_share = column.is_share,
                       .chance = column.chance,
                       .higher_is_better = column.higher_is_better});
  }
  return columns;
}

// All columns, or those with a breakdown.
std::vector<size_t> places_of(const TaskRecord& record, bool breakdown_only) {
  std::vector<size_t> places;
  for (size_t place = 0; place < record.columns.size(); ++place) {
    if (!breakdown_only || record.columns[place].has_breakdown) places.push_back(place);
  }
  return places;
}

void measure_part(store::Samples& samples,
                  const TaskRecord& record,
                  uint32_t task,
                  uint32_t part,
                  const MeasureOptions& options,
                  std::vector<metrics::Measurement>& all) {
  bool resamples = options.bootstrap > 0 || samples.has_shared_clusters(task, part);
  std::string start = metrics::metric_id(record.name, record.parts[part].name, "") + "/";
  const std::vector<MetricColumn> columns = columns_of(record);
  ColumnMeans whole(start, columns, places_of(record, /*breakdown_only=*/false), resamples);
  std::map<std::string, ColumnMeans> categories;
  const std::vector<size_t> broken_down = places_of(record, /*breakdown_only=*/true);
  samples.for_each(task, part, [&](const store::Sample& sample) {
    if (sample.status != store::SampleStatus::kScored) return;
    if (sample.values.size() != record.columns.size()) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format("holds {} values, expected {}", sample.values.size(), record.columns.size()),
          fmt::format("samples.db: {} {}", record.name, sample.item)};
    }
    whole.add(sample.cluster, sample.values, sample.ties);
    if (broken_down.empty() || sample.category.empty()) return;
    auto found = categories.find(sample.category);
    if (found == categories.end()) {
      ColumnMeans means(fmt::format("{}by-category/{}/", start, sample.category),
                        columns,
                        broken_down,
                        resamples);
      found = categories.emplace(sample.category, std::move(means)).first;
    }
    found->second.add(sample.cluster, sample.values, sample.ties);
  });
  const metrics::MeanOptions how{.confidence = options.confidence,
                                 .bootstrap = options.bootstrap,
                                 .seed = options.seed,
                                 .num_threads = options.num_threads};
  whole.measure(how, all);
  for (const auto& [name, means] : categories) means.measure(how, all);
}

}  // namespace

std::vector<metrics::Measurement> measure(store::Samples& samples, const MeasureOptions& options) {
  std::vector<metrics::Measurement> all;
  std::vector<TaskRecord> records = samples.tasks();
  for (uint32_t task = 0; task < records.size(); ++task) {
    if (!options.is_left_out.empty() && options.is_left_out.at(task)) continue;
    for (uint32_t part = 0; part < records[task].parts.size(); ++part) {
      measure_part(samples, records[task], task, part, options, all);
    }
  }
  return all;
}

std::map<std::string, uint64_t> undefined_counts(store::Samples& samples, uint32_t task) {
  TaskRecord record = samples.tasks().at(task);
  std::map<std::string, uint64_t> counts;
  samples.for_each(task, std::nullopt, [&](const store::Sample& sample) {
    for (size_t place = 0; place < sample.values.size() && place < record.columns.size(); ++place) {
      if (std::isfinite(sample.values[place])) continue;
      ++counts[metrics::metric_id(
          record.name, record.parts.at(sample.part).name, record.columns[place].name)];
    }
  });
  return counts;
}

}  // namespace snellen::run
