// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/measure.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "snellen/stats/bootstrap.h"
#include "snellen/stats/interval.h"
#include "snellen/stats/moments.h"
#include "snellen/stats/sum.h"

namespace snellen::run {
namespace {

constexpr uint64_t kClusterReplicates = 2000;
constexpr size_t kTieBits = 64;  // ties are kept for the first columns only: one bit each

using store::TaskRecord;

// What one column of one group of items (a part, or a category of it) came to so far.
struct Running {
  stats::Sum sum;
  stats::Moments moments;
  uint64_t successes = 0;
  uint64_t ties = 0;
  uint64_t undefined = 0;

  void add(double value, bool is_tied) {
    if (!std::isfinite(value)) {
      ++undefined;
      return;
    }
    sum.add(value);
    moments.add(value);
    if (value == 1.0) ++successes;
    if (is_tied) ++ties;
  }
};

// All columns of one group of items.
class Group {
 public:
  Group(std::string id_start,
        const std::vector<TaskRecord::Column>& columns,
        bool breakdown_only,
        bool resamples)
      : id_start_(std::move(id_start)) {
    for (size_t place = 0; place < columns.size(); ++place) {
      if (!breakdown_only || columns[place].has_breakdown) {
        columns_.push_back(&columns[place]);
        places_.push_back(place);
      }
    }
    running_.resize(columns_.size());
    if (resamples) clusters_.emplace(columns_.size());
  }

  void add(const store::Sample& sample) {
    size_t cluster = clusters_ ? clusters_->cluster(sample.cluster) : 0;
    for (size_t i = 0; i < columns_.size(); ++i) {
      double value = sample.values.at(places_[i]);
      running_[i].add(value, places_[i] < kTieBits && (sample.ties >> places_[i] & 1U) != 0);
      if (clusters_ && std::isfinite(value)) clusters_->add(cluster, i, value);
    }
  }

  void measure(const MeasureOptions& options, std::vector<metrics::Measurement>& all) const {
    std::vector<std::optional<stats::Interval>> resampled(columns_.size());
    if (clusters_ && clusters_->num_clusters() > 0) {
      resampled = clusters_->intervals(
          {.replicates = options.bootstrap > 0 ? options.bootstrap : kClusterReplicates,
           .confidence = options.confidence,
           .seed = options.seed,
           .num_threads = options.num_threads});
    }
    for (size_t i = 0; i < columns_.size(); ++i)
      all.push_back(measure_column(i, options, resampled[i]));
  }

 private:
  metrics::Measurement measure_column(size_t i,
                                      const MeasureOptions& options,
                                      const std::optional<stats::Interval>& resampled) const {
    const Running& running = running_[i];
    metrics::Measurement one{.id = id_start_ + columns_[i]->name,
                             .n = running.moments.count(),
                             .ties = running.ties,
                             .higher_is_better = columns_[i]->higher_is_better,
                             .chance = columns_[i]->chance};
    if (one.n == 0) {
      one.reason = running.undefined > 0
                       ? fmt::format("undefined for all {} items", running.undefined)
                       : "no item was scored";
      return one;
    }
    one.value = running.sum.value() / static_cast<double>(one.n);
    if (running.undefined > 0)
      one.reason = fmt::format("{} items with no defined value are left out", running.undefined);
    std::optional<stats::Interval> interval = resampled;
    if (!clusters_) {
      interval = columns_[i]->is_share ? stats::wilson(running.successes, one.n, options.confidence)
                                       : stats::mean_interval(running.moments, options.confidence);
    }
    if (interval) {
      one.low = interval->low;
      one.high = interval->high;
      one.interval = interval->method;
    }
    return one;
  }

  std::string id_start_;
  std::vector<const TaskRecord::Column*> columns_;
  std::vector<size_t> places_;
  std::vector<Running> running_;
  std::optional<stats::ClusterBootstrap> clusters_;
};

void measure_part(store::Samples& samples,
                  const TaskRecord& record,
                  uint32_t task,
                  uint32_t part,
                  const MeasureOptions& options,
                  std::vector<metrics::Measurement>& all) {
  bool resamples = options.bootstrap > 0 || samples.has_shared_clusters(task, part);
  std::string start = metrics::metric_id(record.name, record.parts[part].name, "") + "/";
  Group whole(start, record.columns, /*breakdown_only=*/false, resamples);
  std::map<std::string, Group> categories;
  bool has_breakdown = false;
  for (const TaskRecord::Column& column : record.columns)
    has_breakdown = has_breakdown || column.has_breakdown;
  samples.for_each(task, part, [&](const store::Sample& sample) {
    if (sample.status != store::SampleStatus::kScored) return;
    if (sample.values.size() != record.columns.size()) {
      throw Error{
          ErrorCode::kInvalidInput,
          fmt::format("holds {} values, expected {}", sample.values.size(), record.columns.size()),
          fmt::format("samples.db: {} {}", record.name, sample.item)};
    }
    whole.add(sample);
    if (!has_breakdown || sample.category.empty()) return;
    auto found = categories.find(sample.category);
    if (found == categories.end()) {
      Group group(fmt::format("{}by-category/{}/", start, sample.category),
                  record.columns,
                  /*breakdown_only=*/true,
                  resamples);
      found = categories.emplace(sample.category, std::move(group)).first;
    }
    found->second.add(sample);
  });
  whole.measure(options, all);
  for (const auto& [name, group] : categories) group.measure(options, all);
}

}  // namespace

std::vector<metrics::Measurement> measure(store::Samples& samples, const MeasureOptions& options) {
  std::vector<metrics::Measurement> all;
  std::vector<TaskRecord> records = samples.tasks();
  for (uint32_t task = 0; task < records.size(); ++task) {
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
