// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/pooled.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/metrics/vilma/foil_intervals.h"
#include "snellen/tasks/judged.h"

namespace snellen::tasks::vilma {
namespace {

using metrics::FoilMode;
using metrics::Measurement;

// Rows that are measured together: a part, or the parts of a task.
struct Pool {
  std::string name;
  bool is_all_probability = true;
  std::vector<const StoredRow*> rows;

  void add(const StoredPart& part) {
    is_all_probability = is_all_probability && part.mode == FoilMode::kProbability;
    for (const StoredRow& row : part.rows) rows.push_back(&row);
  }
};

std::vector<double> mean_chances(const Pool& pool, const PooledRequest& request) {
  std::vector<double> sums(request.columns.size(), 0.0);
  for (const StoredRow* row : pool.rows) {
    const std::vector<double> chances =
        chances_of(row->stored.num_foils, row->stored.num_prof_foils, request.sources.is_pair);
    for (size_t i = 0; i < sums.size(); ++i) sums[i] += chances[i];
  }
  for (double& sum : sums) sum /= static_cast<double>(pool.rows.size());
  return sums;
}

// The columns of a task, pooled over its items.
std::vector<Measurement> measure_task(const Pool& pool, const PooledRequest& request) {
  const std::vector<double> chances = mean_chances(pool, request);
  std::vector<metrics::MetricColumn> columns = metric_columns(request.columns);
  for (size_t i = 0; i < columns.size(); ++i) columns[i].chance = chances[i];
  metrics::GroupMeans means(
      fmt::format("vilma/{}/", pool.name), columns, metrics::Resampling::kSharedClusters);
  for (const StoredRow* row : pool.rows)
    means.add(std::span(&row->clip, 1), row->values, row->tied_columns);
  std::vector<Measurement> all;
  means.measure(request.options, all);
  return all;
}

// The unweighted mean of the tasks. MOVER (Zou & Donner 2008): distances to the bounds add as
// variances do, for tasks that share few clips or none.
Measurement average_of(const std::vector<std::vector<Measurement>>& tasks, size_t column) {
  const auto count = static_cast<double>(tasks.size());
  const std::string& id = tasks[0][column].id;
  Measurement mean{.id = "vilma/average" + id.substr(id.rfind('/')), .value = 0.0, .chance = 0.0};
  double below = 0.0;
  double above = 0.0;
  bool has_interval = true;
  for (const std::vector<Measurement>& task : tasks) {
    const Measurement& one = task[column];
    mean.value += one.value / count;
    *mean.chance += *one.chance / count;
    mean.n += one.n;
    mean.ties += one.ties;
    has_interval = has_interval && one.low && one.high;
    if (!has_interval) continue;
    below += std::pow(one.value - *one.low, 2);
    above += std::pow(*one.high - one.value, 2);
  }
  if (has_interval) {
    mean.low = mean.value - std::sqrt(below) / count;
    mean.high = mean.value + std::sqrt(above) / count;
    mean.interval = "mover";
  } else {
    mean.reason = "a task has no interval";
  }
  return mean;
}

void append_chances(const Pool& pool, const PooledRequest& request, std::vector<Measurement>& all) {
  const std::vector<double> chances = mean_chances(pool, request);
  for (size_t i = 0; i < request.columns.size(); ++i) {
    if (request.columns[i].chance) continue;
    all.push_back({.id = fmt::format("vilma/{}/{}_chance", pool.name, request.columns[i].name),
                   .value = chances[i],
                   .n = pool.rows.size()});
  }
}

// p_c, p_f, min, acc and auroc over the texts of a pool; undefined with the reason when a score is
// no probability.
void append_probability(const Pool& pool,
                        const PooledRequest& request,
                        std::vector<Measurement>& all) {
  metrics::FoilRules rules = request.rules;
  rules.mode = FoilMode::kProbability;
  const metrics::FoilReport report = evaluate_rows(pool.rows, request.sources, rules);
  auto add = [&](const char* name) -> Measurement& {
    return all.emplace_back(Measurement{.id = fmt::format("vilma/{}/{}", pool.name, name),
                                        .n = pool.rows.size(),
                                        .reason = report.reason});
  };
  if (!report.probability) {
    for (const char* name : {"p_c", "p_f", "min", "acc", "auroc"}) add(name);
    return;
  }
  // The reference's slips (padding, sigmoid) have no sampling distribution worth an interval.
  metrics::FoilIntervals intervals;
  if (!rules.is_compat) {
    std::vector<std::string> clips;
    for (const StoredRow* row : pool.rows) clips.push_back(row->clip);
    intervals =
        metrics::foil_intervals(report.texts, clips, metrics::bootstrap_options(request.options));
  }
  const metrics::FoilProbability& shares = *report.probability;
  auto fill = [&](const char* name, double value, const std::optional<stats::Interval>& interval) {
    Measurement& one = add(name);
    one.value = value;
    if (!rules.is_compat) metrics::set_interval(one, interval);
    return &one;
  };
  const metrics::FoilCounts& counts = shares.counts;
  if (Measurement* one = fill("p_c", shares.p_c, intervals.p_c); counts.tp + counts.fp == 0) {
    one->reason = "no text was taken for a caption, which counts 0";
  }
  if (Measurement* one = fill("p_f", shares.p_f, intervals.p_f);
      counts.foil_tp + counts.foil_fp == 0) {
    one->reason = "no text was taken for a foil, which counts 0";
  }
  fill("min", std::min(shares.p_c, shares.p_f), intervals.min);
  fill("acc", shares.acc, intervals.acc);
  Measurement* auroc = fill("auroc", shares.auroc.value_or(std::nan("")), intervals.auroc);
  auroc->chance = 0.5;
  if (!shares.auroc) auroc->reason = "needs captions and foils";
}

}  // namespace

std::vector<double> chances_of(size_t num_foils, size_t num_prof_foils, bool is_pair) {
  const double test = metrics::foil_chance(num_foils);
  if (!is_pair) return {test};
  const double proficiency = metrics::foil_chance(num_prof_foils);
  return {proficiency, test, proficiency * test};
}

std::vector<Column> columns_of(const std::vector<NumFoils>& items,
                               bool is_pair,
                               ScoredTexts texts,
                               const metrics::FoilRules& rules) {
  std::vector<Column> columns;
  const bool is_share = rules.is_compat || rules.ties != metrics::FoilTies::kHalf;
  const char* one = texts == ScoredTexts::kMain ? "T" : "P";
  for (const char* name :
       is_pair ? std::vector<const char*>{"P", "T", "PT"} : std::vector<const char*>{one})
    columns.push_back({.name = name, .is_share = is_share});
  for (size_t i = 0; i < items.size(); ++i) {
    const std::vector<double> chances = chances_of(items[i].main, items[i].proficiency, is_pair);
    for (size_t column = 0; column < columns.size(); ++column) {
      std::optional<double>& chance = columns[column].chance;
      if (i == 0) {
        chance = chances[column];
      } else if (chance != chances[column]) {
        chance.reset();
      }
    }
  }
  return columns;
}

std::vector<StoredPart> read_parts(const Sources& sources, OutcomeReader& outcomes) {
  std::vector<StoredPart> parts;
  for (const Source& source : sources.parts) {
    StoredPart part{.task = source.task, .part = source.part, .mode = source.mode, .rows = {}};
    outcomes.for_each_scored(source.part, [&](const StoredItem& item) {
      StoredScores stored = stored_scores(item);
      part.mode = stored.mode.value_or(part.mode);
      if (!stored.is_evaluated) return;
      part.rows.push_back({.id = item.id,
                           .clip = item.clusters.front(),
                           .values = item.outcome.values,
                           .tied_columns = item.outcome.tied_columns,
                           .stored = std::move(stored)});
    });
    parts.push_back(std::move(part));
  }
  return parts;
}

metrics::FoilReport evaluate_rows(const std::vector<const StoredRow*>& rows,
                                  const Sources& sources,
                                  const metrics::FoilRules& rules) {
  auto view = [](size_t num_foils, const std::optional<std::vector<double>>& scores) {
    metrics::FoilPartView part{.num_foils = num_foils, .scores = std::nullopt};
    if (scores) part.scores = std::span<const double>(*scores);
    return part;
  };
  if (sources.is_pair) {
    std::vector<metrics::FoilPairView> views;
    views.reserve(rows.size());
    for (const StoredRow* row : rows) {
      views.push_back({row->id,
                       row->clip,
                       view(row->stored.num_prof_foils, row->stored.scores.proficiency),
                       view(row->stored.num_foils, row->stored.scores.main)});
    }
    return metrics::evaluate_foil_pairs(views, rules);
  }
  const auto scores =
      sources.texts == ScoredTexts::kMain ? &ItemScores::main : &ItemScores::proficiency;
  std::vector<metrics::FoilItemView> views;
  views.reserve(rows.size());
  for (const StoredRow* row : rows) {
    views.push_back({row->id, row->clip, view(row->stored.num_foils, row->stored.scores.*scores)});
  }
  return metrics::evaluate_foils(views, sources.longest_entry, rules);
}

std::vector<Measurement> pooled_metrics(const PooledRequest& request,
                                        const std::vector<StoredPart>& parts) {
  std::vector<Measurement> all;
  std::vector<Pool> tasks;
  for (const StoredPart& part : parts) {
    if (part.rows.empty()) continue;
    Pool alone{.name = part.part, .rows = {}};
    alone.add(part);
    append_chances(alone, request, all);
    if (alone.is_all_probability) append_probability(alone, request, all);
    if (part.task.empty()) continue;
    const std::string id = task_id(part.task);
    auto task =
        std::find_if(tasks.begin(), tasks.end(), [&](const Pool& pool) { return pool.name == id; });
    if (task == tasks.end()) task = tasks.insert(tasks.end(), Pool{.name = id, .rows = {}});
    task->add(part);
  }
  std::vector<std::vector<Measurement>> measured;
  for (const Pool& task : tasks) {
    measured.push_back(measure_task(task, request));
    const bool is_a_part = std::any_of(
        parts.begin(), parts.end(), [&](const StoredPart& part) { return part.part == task.name; });
    if (is_a_part) continue;
    all.insert(all.end(), measured.back().begin(), measured.back().end());
    if (task.is_all_probability) append_probability(task, request, all);
  }
  if (measured.size() < 2) return all;
  for (size_t i = 0; i < request.columns.size(); ++i) all.push_back(average_of(measured, i));
  return all;
}

}  // namespace snellen::tasks::vilma
