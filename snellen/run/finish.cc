// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/finish.h"

#include <chrono>
#include <cmath>
#include <ctime>
#include <future>
#include <map>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/base/version.h"
#include "snellen/tasks/probe_compat.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

// run_meta.json lists at most this many skipped items; samples.db has them all.
constexpr size_t kMostListed = 10000;

class StoredOutcomes : public tasks::OutcomeReader {
 public:
  StoredOutcomes(store::Samples& samples, const OpenTask& task, uint32_t number)
      : samples_(samples), task_(task), number_(number) {}

  void for_each_scored(std::string_view part,
                       const std::function<void(const tasks::StoredItem&)>& visit) override {
    uint32_t place = 0;
    while (place < task_.parts.size() && task_.parts[place].name != part) ++place;
    SNELLEN_CHECK(place < task_.parts.size());
    samples_.for_each(
        number_,
        place,
        [&](store::Sample& sample) {
          if (sample.status != store::SampleStatus::kScored) return;
          visit({.position = sample.position,
                 .id = std::move(sample.item),
                 .cluster = std::move(sample.cluster),
                 .category = std::move(sample.category),
                 .outcome = {.values = std::move(sample.values),
                             .tied_columns = sample.ties,
                             .is_correct = sample.is_correct,
                             .margin = sample.margin,
                             .detail = std::move(sample.detail)}});
        },
        store::Samples::Reading::kWithoutScores);
  }

 private:
  store::Samples& samples_;
  const OpenTask& task_;
  uint32_t number_;
};

// "2026-11-15 06:30:00,123 INFO  text", as Python's logging writes it.
void write_log(const fs::path& folder, const std::vector<std::string>& lines) {
  auto now = std::chrono::system_clock::now();
  std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm local = fmt::localtime(seconds);
  fs::path path = folder / "log.txt";
  if (fs::exists(path)) path = folder / fmt::format("log_{:%d-%m-%H%M%S}.txt", local);
  std::string text;
  for (const std::string& line : lines)
    text += fmt::format("{:%Y-%m-%d %H:%M:%S},{:03d} {:<5} {}\n", local, millis, "INFO", line);
  write_text_file(path, text);
}

std::string skipped_json(store::Samples& samples, uint32_t task) {
  std::string json = "[";
  for (const store::Sample& sample : samples.failures(task, kMostListed)) {
    if (json.size() > 1) json += ", ";
    json += fmt::format("{{\"id\": {}, \"status\": {}, \"reason\": {}}}",
                        json_string(sample.item),
                        json_string(name_of(sample.status)),
                        json_string(sample.error ? sample.error->what() : ""));
  }
  return json + "]";
}

void write_run_meta(const FinishRequest& request,
                    store::Samples& samples,
                    uint32_t task,
                    const tasks::SeedReport& report,
                    const std::vector<metrics::Measurement>& all) {
  const std::string& name = request.tasks[task].name;
  store::SampleCounts counts = samples.counts(task);
  std::string json = fmt::format(
      "{{\"tool\": \"snellen\", \"version\": {}, \"command\": {}, \"model\": {}, \"name\": {}, "
      "\"seed\": {}, "
      "\"compat\": {}, \"wall_seconds\": {},\n \"counts\": {{\"total\": {}, \"scored\": {}, "
      "\"failed\": {}, \"skipped\": {}}},\n",
      json_string(version()),
      json_string(request.command),
      json_string(request.settings.model),
      json_string(request.settings.name),
      request.settings.seed,
      request.settings.is_compat,
      python_float(request.seconds),
      counts.total(),
      counts.scored,
      counts.failed,
      counts.skipped);
  json += fmt::format(" \"skipped\": {},\n \"null_counts\": {{", skipped_json(samples, task));
  bool is_first = true;
  for (const auto& [column, count] : undefined_counts(samples.tasks().at(task), all)) {
    json += fmt::format("{}{}: {}", is_first ? "" : ", ", json_string(column), count);
    is_first = false;
  }
  json += "},\n \"intervals\": {";
  is_first = true;
  for (const metrics::Measurement& one : all) {
    if (!one.id.starts_with(name + "/") || !one.low) continue;
    json += fmt::format("{}{}: [{}, {}]",
                        is_first ? "" : ", ",
                        json_string(one.id),
                        python_float(*one.low),
                        python_float(*one.high));
    is_first = false;
  }
  json += "}";
  if (!report.extra_json.empty()) json += ",\n " + report.extra_json;
  write_text_file(request.paths.folder / report.results_folder / "run_meta.json", json + "}\n");
}

// One JSON line a group with its id, because the published raw files carry none.
fs::path write_per_group(const FinishRequest& request,
                         store::Samples& samples,
                         uint32_t task,
                         const tasks::SeedReport& report) {
  store::TaskRecord record = samples.tasks().at(task);
  fs::path relative = report.results_folder / "eval_per_group.jsonl";
  AtomicFile file(request.paths.folder / relative);
  samples.for_each(task, std::nullopt, [&](const store::Sample& sample) {
    std::string line = fmt::format("{{\"id\": {}, \"status\": {}",
                                   json_string(sample.item),
                                   json_string(name_of(sample.status)));
    for (size_t place = 0; place < sample.values.size(); ++place) {
      line += fmt::format(", {}: {}",
                          json_string(record.columns.at(place).name),
                          python_float(sample.values[place]));
    }
    file.write(line + "}\n");
  });
  file.commit();
  return relative;
}

std::vector<std::string> log_lines(const FinishRequest& request,
                                   store::Samples& samples,
                                   uint32_t task,
                                   const tasks::SeedReport& report) {
  store::SampleCounts counts = samples.counts(task);
  uint64_t batches =
      (counts.total() + request.settings.batch_size - 1) / request.settings.batch_size;
  std::vector<std::string> lines = {
      fmt::format("dataset: {} groups in {} batches, {} scored, {} failed, {} skipped",
                  counts.total(),
                  batches,
                  counts.scored,
                  counts.failed,
                  counts.skipped),
      fmt::format("model: {} ({})", request.settings.name, request.settings.model)};
  lines.insert(lines.end(), report.log_lines.begin(), report.log_lines.end());
  return lines;
}

}  // namespace

std::vector<metrics::Measurement> all_metrics(const std::vector<OpenTask>& tasks,
                                              const RunSettings& settings,
                                              store::Samples& samples,
                                              const std::vector<bool>& is_left_out) {
  std::vector<metrics::Measurement> all = measure(samples,
                                                  {.confidence = settings.confidence,
                                                   .bootstrap = settings.bootstrap,
                                                   .seed = settings.seed,
                                                   .num_threads = settings.num_threads,
                                                   .is_left_out = is_left_out});
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    if (!is_left_out.empty() && is_left_out.at(task)) continue;
    StoredOutcomes outcomes(samples, tasks[task], task);
    std::vector<metrics::Measurement> pooled =
        tasks[task].task->pooled(outcomes,
                                 {.confidence = settings.confidence,
                                  .bootstrap = settings.bootstrap,
                                  .seed = settings.seed,
                                  .num_threads = settings.num_threads});
    all.insert(all.end(), pooled.begin(), pooled.end());
  }
  return all;
}

void write_results_so_far(const FinishRequest& request,
                          const std::vector<bool>& is_left_out,
                          store::Samples& samples) {
  const store::Results results{
      .run = request.paths.folder.filename().string(),
      .metrics = all_metrics(request.tasks, request.settings, samples, is_left_out),
      .tie_rule = request.settings.ties};
  write_text_file(request.paths.results(), store::results_to_json(results));
}

Finished write_results(const FinishRequest& request, store::Samples& samples) {
  const RunSettings& settings = request.settings;
  Finished finished;
  finished.results.run = request.paths.folder.filename().string();
  finished.results.tie_rule = settings.ties;
  samples.read_with(settings.num_threads);
  // Metrics are made from connections of their own while the papers' files are written.
  auto aside = [&](const auto& work) {
    return std::async(std::launch::async, [&samples, &settings, work] {
      store::Samples own = store::Samples::open_to_read(samples.path());
      own.read_with(settings.num_threads);
      return work(own);
    });
  };
  auto measured =
      aside([&](store::Samples& own) { return all_metrics(request.tasks, settings, own); });
  auto digest = aside([](store::Samples& own) { return own.digest(); });
  struct Written {
    uint32_t task;
    tasks::SeedReport report;
  };
  std::vector<Written> written;
  for (uint32_t task = 0; task < request.tasks.size(); ++task) {
    StoredOutcomes outcomes(samples, request.tasks[task], task);
    tasks::SeedRequest seed{.folder = request.paths.folder,
                            .model = settings.name,
                            .tag = tasks::probe_tag(settings.name),
                            .is_compat = settings.is_compat,
                            .wants_compat_names = settings.wants_compat_names,
                            .num_threads = settings.num_threads};
    for (tasks::SeedReport& report : request.tasks[task].task->write_seed_files(seed, outcomes)) {
      if (settings.wants_per_group)
        report.files.push_back(write_per_group(request, samples, task, report));
      finished.files.insert(finished.files.end(), report.files.begin(), report.files.end());
      write_log(request.paths.folder / report.log_folder,
                log_lines(request, samples, task, report));
      written.push_back({task, std::move(report)});
    }
  }
  finished.results.metrics = measured.get();
  if (!settings.is_compat) {
    for (const Written& one : written)
      write_run_meta(request, samples, one.task, one.report, finished.results.metrics);
  }
  finished.digest = digest.get();
  write_text_file(request.paths.results(), store::results_to_json(finished.results));
  finished.files.emplace_back("results.json");
  return finished;
}

}  // namespace snellen::run
