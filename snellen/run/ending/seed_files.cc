// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/seed_files.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/python_json.h"
#include "snellen/base/version.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/ending/stored_outcomes.h"
#include "snellen/tasks/probe_compat.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

// run_meta.json lists at most this many skipped items; samples.db has them all.
constexpr size_t kMostListed = 10000;

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

// One JSON line per group with its id, because the published raw files carry none.
fs::path write_per_group(const Ending& ending,
                         store::Samples& samples,
                         uint32_t task,
                         const tasks::SeedReport& report) {
  store::TaskRecord record = samples.tasks().at(task);
  fs::path relative = report.results_folder / "eval_per_group.jsonl";
  AtomicFile file(ending.paths.folder / relative);
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

std::vector<std::string> log_lines(const Ending& ending,
                                   store::Samples& samples,
                                   uint32_t task,
                                   const tasks::SeedReport& report) {
  store::SampleCounts counts = samples.counts(task);
  uint64_t batches = (counts.total() + ending.settings.batch_size - 1) / ending.settings.batch_size;
  std::vector<std::string> lines = {
      fmt::format("dataset: {} groups in {} batches, {} scored, {} failed, {} skipped",
                  counts.total(),
                  batches,
                  counts.scored,
                  counts.failed,
                  counts.skipped),
      fmt::format("model: {} ({})", ending.settings.name, ending.settings.model)};
  lines.insert(lines.end(), report.log_lines.begin(), report.log_lines.end());
  return lines;
}

}  // namespace

void write_run_meta(const Ending& ending,
                    store::Samples& samples,
                    const SeedFiles& files,
                    std::span<const metrics::Measurement> all) {
  const uint32_t task = files.task;
  const tasks::SeedReport& report = files.report;
  const std::string& name = ending.tasks[task].name;
  store::SampleCounts counts = samples.counts(task);
  std::string json = fmt::format(
      "{{\"tool\": \"snellen\", \"version\": {}, \"command\": {}, \"model\": {}, \"name\": {}, "
      "\"seed\": {}, "
      "\"compat\": {}, \"wall_seconds\": {},\n \"counts\": {{\"total\": {}, \"scored\": {}, "
      "\"failed\": {}, \"skipped\": {}}},\n",
      json_string(version()),
      json_string(ending.command),
      json_string(ending.settings.model),
      json_string(ending.settings.name),
      ending.settings.seed,
      ending.settings.is_compat,
      python_float(ending.seconds()),
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
  if (const std::string extra = report.extra.to_json(); !extra.empty())
    json += ",\n " + extra.substr(1, extra.size() - 2);
  write_text_file(ending.paths.folder / report.results_folder / "run_meta.json", json + "}\n");
}

std::vector<SeedFiles> write_seed_files(const Ending& ending, store::Samples& samples) {
  const RunSettings& settings = ending.settings;
  const tasks::SeedRequest seed{.folder = ending.paths.folder,
                                .model = settings.name,
                                .tag = tasks::probe_tag(settings.name),
                                .is_compat = settings.is_compat,
                                .wants_compat_names = settings.wants_compat_names,
                                .num_threads = settings.num_threads};
  std::vector<SeedFiles> written;
  for (uint32_t task = 0; task < ending.tasks.size(); ++task) {
    StoredOutcomes outcomes(samples, ending.tasks[task], task);
    for (tasks::SeedReport& report : ending.tasks[task].task->write_seed_files(seed, outcomes)) {
      if (settings.wants_per_group)
        report.files.push_back(write_per_group(ending, samples, task, report));
      write_log(ending.paths.folder / report.log_folder, log_lines(ending, samples, task, report));
      written.push_back({task, std::move(report)});
    }
  }
  return written;
}

}  // namespace snellen::run
