// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/measure.h"

#include <set>

#include <fmt/format.h>

#include "snellen/metrics/group_means.h"
#include "snellen/run/ending/stored_outcomes.h"
#include "snellen/stats/parallel.h"

namespace snellen::run {
namespace {

using metrics::GroupMeans;
using metrics::MetricColumn;
using store::TaskRecord;

// The name of what an item shares when it shares nothing.
const std::string kNoCluster;

// All columns, or those with a breakdown.
std::vector<size_t> places_of(const TaskRecord& record, bool breakdown_only) {
  std::vector<size_t> places;
  for (size_t place = 0; place < record.columns.size(); ++place) {
    if (!breakdown_only || record.columns[place].has_breakdown) places.push_back(place);
  }
  return places;
}

// The means of a part and of its categories. Samples are taken in blocks, over which the means go
// side by side, each in order of position.
class PartMeans {
 public:
  PartMeans(const TaskRecord& record, uint32_t part, bool resamples, unsigned num_threads)
      : start_(metrics::metric_id(record.name, record.parts[part].name, "") + "/"),
        columns_(columns_of(record)),
        broken_down_(places_of(record, /*breakdown_only=*/true)),
        resampling_(resamples ? metrics::Resampling::kSharedClusters : metrics::Resampling::kNever),
        num_threads_(num_threads) {
    groups_.push_back(
        {GroupMeans(start_, columns_, places_of(record, /*breakdown_only=*/false), resampling_),
         {}});
  }

  void add(store::Sample&& sample) {
    block_.push_back(std::move(sample));
    if (block_.size() == kBlock) add_block();
  }

  void measure(const metrics::MeanOptions& how, std::vector<metrics::Measurement>& all) {
    add_block();
    groups_[0].means.measure(how, all);
    for (const auto& [name, place] : categories_) groups_[place].means.measure(how, all);
  }

 private:
  static constexpr size_t kBlock = 4096;
  struct Group {
    GroupMeans means;
    std::vector<const store::Sample*> samples;  // of the block
  };

  void add_block() {
    for (const store::Sample& sample : block_) {
      groups_[0].samples.push_back(&sample);
      if (!broken_down_.empty() && !sample.category.empty())
        groups_[place_of(sample.category)].samples.push_back(&sample);
    }
    stats::for_ranges(groups_.size(), num_threads_, [&](uint64_t first, uint64_t last) {
      for (uint64_t i = first; i < last; ++i) {
        for (const store::Sample* sample : groups_[i].samples)
          groups_[i].means.add(sample->clusters.empty()
                                   ? std::span<const std::string>(&kNoCluster, 1)
                                   : std::span<const std::string>(sample->clusters),
                               sample->values,
                               sample->ties);
        groups_[i].samples.clear();
      }
    });
    block_.clear();
  }

  size_t place_of(const std::string& category) {
    auto found = categories_.find(category);
    if (found != categories_.end()) return found->second;
    groups_.push_back({GroupMeans(fmt::format("{}by-category/{}/", start_, category),
                                  columns_,
                                  broken_down_,
                                  resampling_),
                       {}});
    return categories_.emplace(category, groups_.size() - 1).first->second;
  }

  std::string start_;
  std::vector<MetricColumn> columns_;
  std::vector<size_t> broken_down_;
  metrics::Resampling resampling_;
  unsigned num_threads_;
  std::vector<Group> groups_;  // the whole, then categories as they came
  std::map<std::string, size_t> categories_;
  std::vector<store::Sample> block_;
};

void measure_part(store::Samples& samples,
                  const TaskRecord& record,
                  uint32_t task,
                  uint32_t part,
                  const MeasureOptions& options,
                  std::vector<metrics::Measurement>& all) {
  bool resamples = options.bootstrap > 0 || samples.has_shared_clusters(task, part);
  PartMeans means(record, part, resamples, options.num_threads);
  samples.for_each(
      task,
      part,
      [&](store::Sample& sample) {
        if (sample.status != store::SampleStatus::kScored) return;
        store::check_values(sample, record.columns.size(), samples.path());
        means.add(std::move(sample));
      },
      store::Samples::Reading::kWithoutScores);
  means.measure({.confidence = options.confidence,
                 .bootstrap = options.bootstrap,
                 .seed = options.seed,
                 .num_threads = options.num_threads},
                all);
}

}  // namespace

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

MeasureOptions measure_options(const RunSettings& settings) {
  return {.confidence = settings.confidence,
          .bootstrap = settings.bootstrap,
          .seed = settings.seed,
          .num_threads = settings.num_threads};
}

std::vector<metrics::Measurement> all_metrics(const std::vector<OpenTask>& tasks,
                                              const RunSettings& settings,
                                              store::Samples& samples,
                                              const std::vector<bool>& is_left_out) {
  MeasureOptions options = measure_options(settings);
  options.is_left_out = is_left_out;
  std::vector<metrics::Measurement> all = measure(samples, options);
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    if (!is_left_out.empty() && is_left_out.at(task)) continue;
    StoredOutcomes outcomes(samples, tasks[task], task);
    std::vector<metrics::Measurement> pooled =
        tasks[task].task->pooled(outcomes,
                                 {.confidence = options.confidence,
                                  .bootstrap = options.bootstrap,
                                  .seed = options.seed,
                                  .num_threads = options.num_threads});
    all.insert(all.end(), pooled.begin(), pooled.end());
  }
  return all;
}

std::map<std::string, uint64_t> undefined_counts(const TaskRecord& record,
                                                 std::span<const metrics::Measurement> all) {
  std::set<std::string> ids;
  for (const TaskRecord::Part& part : record.parts) {
    for (const TaskRecord::Column& column : record.columns)
      ids.insert(metrics::metric_id(record.name, part.name, column.name));
  }
  std::map<std::string, uint64_t> counts;
  for (const metrics::Measurement& one : all) {
    if (one.undefined > 0 && ids.contains(one.id)) counts.emplace(one.id, one.undefined);
  }
  return counts;
}

}  // namespace snellen::run
