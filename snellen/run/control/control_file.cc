// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/control/control_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/formats/json.h"
#include "snellen/media/corruptions/corruption.h"
#include "snellen/run/ending/measure.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {
namespace {

using Json = nlohmann::ordered_json;
using metrics::ControlledMetric;
using metrics::Measurement;
using metrics::RungResult;
using store::Sample;
using store::TaskRecord;

constexpr uint64_t kWindow = 4096;  // positions that are joined at a time
constexpr double kMoved = 1e-6;
constexpr double kSolvableShare = 0.75;
constexpr size_t kSolvableShown = 20;
constexpr double kAlpha = 0.05;

bool has_moved(const Sample& a, const Sample& b) {
  if (a.answers != b.answers || a.scores.size() != b.scores.size()) return true;
  for (size_t i = 0; i < a.scores.size(); ++i) {
    const bool is_same = std::isnan(a.scores[i]) ? std::isnan(b.scores[i])
                                                 : std::abs(a.scores[i] - b.scores[i]) < kMoved;
    if (!is_same) return true;
  }
  return false;
}

// One part of a task in the run and in the rungs that have the task.
class PartUnderControl {
 public:
  struct Rung {
    const ControlSource* source;
    uint32_t task;
    metrics::PairedDifferences differences;
    uint64_t num_moved = 0;
    std::map<uint64_t, Sample> window = {};
  };

  PartUnderControl(const TaskRecord& record, std::vector<Rung> rungs)
      : columns_(columns_of(record)),
        rungs_(std::move(rungs)),
        clean_(columns_.size()),
        num_clean_(columns_.size()),
        num_right_(columns_.size()),
        num_solvable_(columns_.size()) {}

  void join(const ControlSource& clean, uint32_t task, uint64_t begin, uint64_t end) {
    for (uint64_t from = begin; from < end; from += kWindow) {
      const uint64_t to = std::min(end, from + kWindow);
      for (Rung& rung : rungs_) {
        rung.window.clear();
        rung.source->samples.for_each_between(rung.task, from, to, [&](Sample& sample) {
          if (sample.status == store::SampleStatus::kScored)
            rung.window.emplace(sample.position, std::move(sample));
        });
      }
      clean.samples.for_each_between(task, from, to, [&](Sample& sample) {
        if (sample.status == store::SampleStatus::kScored) take(sample);
      });
    }
  }

  const std::vector<std::string>& solvable() const { return solvable_; }

  void add_differences(size_t column,
                       double smallest_p,
                       const metrics::MeanOptions& how,
                       ControlledMetric& metric) const {
    for (const Rung& rung : rungs_) {
      for (RungResult& result : metric.rungs) {
        if (result.rung != rung.source->rung) continue;
        result.lost = rung.differences.of(column, smallest_p, how);
        result.num_moved = rung.num_moved;
      }
    }
  }

  // The mean of a column over the run's own items.
  double mean(size_t column) const {
    return clean_[column].value() / static_cast<double>(num_clean_[column]);
  }
  uint64_t count(size_t column) const { return num_clean_[column]; }

  void add_solvable(size_t column, ControlledMetric& metric) const {
    if (num_blind_items_ == 0 || !columns_[column].is_share) return;
    metric.blind_solvable =
        static_cast<double>(num_right_[column]) / static_cast<double>(num_blind_items_);
    metric.num_text_solvable = num_solvable_[column];
  }

 private:
  void take(const Sample& sample) {
    const std::vector<std::string> own = {"\x1f" + sample.item};
    const std::vector<std::string>& clusters = sample.clusters.empty() ? own : sample.clusters;
    size_t num_blind = 0;
    bool has_all = true;
    std::vector<size_t> right(columns_.size());
    size_t num_correct = 0;
    for (size_t i = 0; i < columns_.size(); ++i) {
      if (!std::isfinite(sample.values[i])) continue;
      clean_[i].add(sample.values[i]);
      ++num_clean_[i];
    }
    for (Rung& rung : rungs_) {
      const bool is_blind = metrics::is_blind_control(rung.source->rung);
      num_blind += is_blind ? 1 : 0;
      const auto found = rung.window.find(sample.position);
      if (found == rung.window.end()) {
        has_all = has_all && !is_blind;
        continue;
      }
      const Sample& other = found->second;
      rung.differences.add(clusters, sample.values, other.values);
      if (has_moved(sample, other)) ++rung.num_moved;
      if (!is_blind) continue;
      num_correct += other.is_correct.value_or(false) ? 1 : 0;
      for (size_t i = 0; i < right.size(); ++i) right[i] += other.values[i] == 1.0 ? 1 : 0;
    }
    if (num_blind == 0 || !has_all) return;
    ++num_blind_items_;
    const double enough = kSolvableShare * static_cast<double>(num_blind);
    for (size_t i = 0; i < right.size(); ++i) {
      num_right_[i] += right[i] == num_blind ? 1 : 0;
      num_solvable_[i] += static_cast<double>(right[i]) >= enough ? 1 : 0;
    }
    if (static_cast<double>(num_correct) >= enough && solvable_.size() < kSolvableShown)
      solvable_.push_back(sample.item);
  }

  std::vector<metrics::MetricColumn> columns_;
  std::vector<Rung> rungs_;
  std::vector<stats::Sum> clean_;    // by column
  std::vector<uint64_t> num_clean_;  // items with a value
  uint64_t num_blind_items_ = 0;
  std::vector<uint64_t> num_right_;     // by column: under every blind rung
  std::vector<uint64_t> num_solvable_;  // by column
  std::vector<std::string> solvable_;
};

std::optional<uint32_t> number_of(const std::vector<TaskRecord>& records, const std::string& name) {
  for (uint32_t i = 0; i < records.size(); ++i) {
    if (records[i].name == name) return i;
  }
  return std::nullopt;
}

std::vector<PartUnderControl::Rung> rungs_with(const TaskRecord& record,
                                               std::span<const ControlSource> rungs) {
  std::vector<PartUnderControl::Rung> with;
  for (const ControlSource& rung : rungs) {
    if (const auto number = number_of(rung.samples.tasks(), record.name))
      with.push_back({&rung, *number, metrics::PairedDifferences(columns_of(record))});
  }
  return with;
}

const Measurement* measured(std::span<const Measurement> all, const std::string& id) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Measurement& one) { return one.id == id; });
  return found == all.end() ? nullptr : &*found;
}

// By category or tag.
bool is_breakdown(const std::string& id) {
  return id.find("/by-category/") != std::string::npos || id.find("/by-tag/") != std::string::npos;
}

// Metrics that a task pools over several of its parts, as `vilma/change-state/T` over those that
// begin with `change-state-` and `bias-close/accuracy` over all: their items are joined too, where
// the mean over the items is the metric.
void join_pools(const ControlSource& clean,
                std::span<const ControlSource> rungs,
                const metrics::MeanOptions& how,
                double smallest_p,
                std::map<std::string, ControlledMetric>& by_id) {
  constexpr double kSame = 1e-9;
  const std::vector<TaskRecord> records = clean.samples.tasks();
  for (uint32_t task = 0; task < records.size(); ++task) {
    const TaskRecord& record = records[task];
    std::set<std::string> pools;
    if (record.parts.size() > 1) pools.insert("");
    for (const TaskRecord::Part& part : record.parts) {
      for (size_t dash = part.name.find('-'); dash != std::string::npos;
           dash = part.name.find('-', dash + 1))
        pools.insert(part.name.substr(0, dash));
    }
    for (const std::string& pool : pools) {
      auto metric_at = [&](size_t column) {
        return by_id.find(metrics::metric_id(record.name, pool, record.columns[column].name));
      };
      bool is_asked = false;
      for (size_t column = 0; column < record.columns.size(); ++column)
        is_asked = is_asked || metric_at(column) != by_id.end();
      if (!is_asked) continue;
      PartUnderControl joined(record, rungs_with(record, rungs));
      uint64_t begin = 0;
      for (const TaskRecord::Part& part : record.parts) {
        if (pool.empty() || part.name.starts_with(pool + "-"))
          joined.join(clean, task, begin, begin + part.num_items);
        begin += part.num_items;
      }
      for (size_t column = 0; column < record.columns.size(); ++column) {
        const auto found = metric_at(column);
        if (found == by_id.end() || joined.count(column) != found->second.clean.n ||
            !(std::abs(joined.mean(column) - found->second.clean.value) < kSame))
          continue;
        joined.add_solvable(column, found->second);
        joined.add_differences(column, smallest_p, how, found->second);
      }
    }
  }
}

}  // namespace

metrics::ControlReport control_report(const ControlSource& clean,
                                      std::span<const ControlSource> rungs,
                                      const MeasureOptions& options) {
  metrics::ControlReport report;
  const metrics::MeanOptions how{.confidence = options.confidence,
                                 .bootstrap = options.bootstrap,
                                 .seed = options.seed,
                                 .num_threads = options.num_threads};
  const double smallest_p = kAlpha / (10 * static_cast<double>(std::max<size_t>(1, rungs.size())));
  std::map<std::string, ControlledMetric> by_id;
  for (const Measurement& one : clean.metrics) {
    if (is_breakdown(one.id)) continue;
    ControlledMetric& metric = by_id[one.id];
    metric.clean = one;
    for (const ControlSource& rung : rungs) {
      if (const Measurement* other = measured(rung.metrics, one.id))
        metric.rungs.push_back({.rung = rung.rung, .score = *other});
    }
  }
  const std::vector<TaskRecord> records = clean.samples.tasks();
  for (uint32_t task = 0; task < records.size(); ++task) {
    const TaskRecord& record = records[task];
    uint64_t begin = 0;
    for (const TaskRecord::Part& part : record.parts) {
      PartUnderControl joined(record, rungs_with(record, rungs));
      joined.join(clean, task, begin, begin + part.num_items);
      begin += part.num_items;
      for (const std::string& item : joined.solvable()) {
        if (report.text_solvable.size() < kSolvableShown) report.text_solvable.push_back(item);
      }
      for (size_t column = 0; column < record.columns.size(); ++column) {
        const auto found =
            by_id.find(metrics::metric_id(record.name, part.name, record.columns[column].name));
        if (found == by_id.end()) continue;
        joined.add_solvable(column, found->second);
        joined.add_differences(column, smallest_p, how, found->second);
      }
    }
  }
  join_pools(clean, rungs, how, smallest_p, by_id);
  for (auto& [id, metric] : by_id) {
    metrics::judge_controls(metric);
    report.metrics.push_back(std::move(metric));
  }
  return report;
}

namespace {

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json(nullptr);
}
Json text(const std::string& value) {
  return value.empty() ? Json(nullptr) : Json(value);
}

Json json_of(const Measurement& one) {
  return {{"value", number(one.value)},
          {"n", one.n},
          {"low", number(one.low)},
          {"high", number(one.high)},
          {"interval", text(one.interval)},
          {"ties", one.ties},
          {"reason", text(one.reason)}};
}

Json json_of(const metrics::Bounded& one) {
  return {{"value", number(one.value)}, {"low", number(one.low)}, {"high", number(one.high)}};
}

Json gain_of(const Measurement& clean, const RungResult& rung) {
  if (!rung.lost) return {{"value", number(clean.value - rung.score.value)}};
  const metrics::PairedDifference& lost = *rung.lost;
  return {{"value", number(lost.value)},
          {"n", lost.n},
          {"low", number(lost.low)},
          {"high", number(lost.high)},
          {"interval", text(lost.interval)},
          {"reason", text(lost.reason)},
          {"p", number(lost.p)},
          {"p_method", text(lost.p_method)},
          {"p_holm", number(rung.p_holm)}};
}

Json json_of(const ControlledMetric& metric) {
  Json json = {{"id", metric.clean.id},
               {"higher_is_better", metric.clean.higher_is_better},
               {"chance", number(metric.clean.chance)},
               {"clean", json_of(metric.clean)},
               {"rungs", Json::array()}};
  for (const RungResult& rung : metric.rungs) {
    Json one = json_of(rung.score);
    one["rung"] = rung.rung;
    one["visual_gain"] = gain_of(metric.clean, rung);
    one["leak_ratio"] = number(rung.leak_ratio);
    one["agreement"] = rung.lost ? number(rung.lost->agreement) : Json(nullptr);
    one["moved"] = rung.lost ? Json(rung.num_moved) : Json(nullptr);
    json["rungs"].push_back(std::move(one));
  }
  json["blind_solvable"] = number(metric.blind_solvable);
  json["text_solvable"] =
      metric.num_text_solvable ? Json(*metric.num_text_solvable) : Json(nullptr);
  json["verdicts"] = Json::array();
  for (const metrics::ControlVerdict& verdict : metric.verdicts) {
    json["verdicts"].push_back({{"question", name_of(verdict.question)},
                                {"verdict", name_of(verdict.found)},
                                {"rung", verdict.rung},
                                {"lost", json_of(verdict.evidence.lost)},
                                {"left", json_of(verdict.evidence.left)},
                                {"sentence", verdict.sentence}});
  }
  return json;
}

}  // namespace

std::string control_json(const metrics::ControlReport& report, const std::string& run) {
  Json json = {{"schema", 1}, {"run", run}, {"rungs", Json::array()}};
  for (const std::string& name : report.rungs) {
    std::string folder = name;
    std::replace(folder.begin(), folder.end(), ':', '-');
    json["rungs"].push_back({{"name", name},
                             {"folder", "control/" + folder},
                             {"shows", media::corruption_of(name).value().facts().summary},
                             {"is_blind", metrics::is_blind_control(name)}});
  }
  json["not_applicable"] = Json::array();
  for (const metrics::RungLeftOut& one : report.left_out)
    json["not_applicable"].push_back(
        {{"rung", one.rung}, {"task", one.task}, {"reason", one.reason}});
  json["metrics"] = Json::array();
  for (const ControlledMetric& metric : report.metrics) json["metrics"].push_back(json_of(metric));
  json["text_solvable_items"] = report.text_solvable;
  return store::json_text(json, 1) + "\n";
}

std::string control_csv(const metrics::ControlReport& report) {
  std::string csv =
      "metric,rung,value,n,low,high,ties,chance,visual_gain,gain_low,gain_high,p,p_holm,leak_ratio,"
      "agreement,moved,verdict\n";
  auto cell = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string();
  };
  for (const ControlledMetric& metric : report.metrics) {
    const Measurement& clean = metric.clean;
    csv += fmt::format("\"{}\",clean,{},{},{},{},{},{},,,,,,,,,\n",
                       clean.id,
                       cell(clean.value),
                       clean.n,
                       cell(clean.low),
                       cell(clean.high),
                       clean.ties,
                       cell(clean.chance));
    for (const RungResult& rung : metric.rungs) {
      std::string verdict;
      for (const metrics::ControlVerdict& one : metric.verdicts) {
        if (one.rung == rung.rung)
          verdict = fmt::format("{}: {}", name_of(one.question), name_of(one.found));
      }
      const metrics::PairedDifference lost =
          rung.lost.value_or(metrics::PairedDifference{.value = clean.value - rung.score.value});
      csv += fmt::format("\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
                         clean.id,
                         rung.rung,
                         cell(rung.score.value),
                         rung.score.n,
                         cell(rung.score.low),
                         cell(rung.score.high),
                         rung.score.ties,
                         cell(clean.chance),
                         cell(lost.value),
                         cell(lost.low),
                         cell(lost.high),
                         cell(lost.p),
                         cell(rung.p_holm),
                         cell(rung.leak_ratio),
                         cell(lost.agreement),
                         rung.lost ? fmt::format("{}", rung.num_moved) : "",
                         verdict);
    }
  }
  return csv;
}

std::vector<metrics::RungLeftOut> left_out_of(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "control.json";
  if (!std::filesystem::exists(path)) return {};
  std::vector<metrics::RungLeftOut> all;
  try {
    const Json json = formats::parse_ordered_json_object(read_text_file(path), path.string());
    for (const Json& one : json.at("not_applicable"))
      all.push_back({one.at("rung"), one.at("task"), one.at("reason")});
  } catch (const Json::exception& error) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("is malformed: {}", error.what()),
                path.string(),
                "run the shard again with --overwrite"};
  }
  return all;
}

std::vector<std::filesystem::path> write_control(const metrics::ControlReport& report,
                                                 const std::string& run,
                                                 const std::filesystem::path& folder) {
  write_text_file(folder / "control.json", control_json(report, run));
  write_text_file(folder / "control.csv", control_csv(report));
  return {"control.json", "control.csv"};
}

}  // namespace snellen::run
