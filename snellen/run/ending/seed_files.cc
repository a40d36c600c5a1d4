// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/seed_files.h"

#include <chrono>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/json_object.h"
#include "snellen/base/version.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/ending/stored_outcomes.h"
#include "snellen/tasks/probe_compat.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

// run_meta.json lists at most this many skipped items; samples.db has them all.
constexpr size_t kMostListed = 10000;

// "2026-11-15 06:30:00,123 INFO  text", as Python's logging writes it. Gives the file's name.
fs::path write_log(const fs::path& folder, const std::vector<std::string>& lines) {
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
  return path.filename();
}

JsonValue skipped_json(store::Samples& samples, uint32_t task) {
  JsonValue::List skipped;
  for (const store::Sample& sample : samples.failures(task, kMostListed))
    skipped.push_back(JsonObject{{"id", sample.item},
                                 {"status", name_of(sample.status)},
                                 {"reason", sample.error ? sample.error->what() : ""}});
  return skipped;
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
    JsonObject line = {{"id", sample.item}, {"status", name_of(sample.status)}};
    for (size_t place = 0; place < sample.values.size(); ++place)
      line.add({{record.columns.at(place).name, sample.values[place]}});
    file.write(line.as_utf8().text + "\n");
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

fs::path write_run_meta(const Ending& ending,
                        store::Samples& samples,
                        const SeedFiles& files,
                        std::span<const metrics::Measurement> all) {
  const uint32_t task = files.task;
  const tasks::SeedReport& report = files.report;
  const std::string& name = ending.tasks[task].name;
  store::SampleCounts counts = samples.counts(task);
  const auto undefined = undefined_counts(samples.tasks().at(task), all);
  JsonObject null_counts;
  for (const auto& [column, count] : undefined) null_counts.add({{column, count}});
  JsonObject intervals;
  for (const metrics::Measurement& one : all)
    if (one.id.starts_with(name + "/") && one.low)
      intervals.add({{one.id, std::vector<double>{*one.low, *one.high}}});
  std::string json = "{";
  auto add_line = [&](const std::string& members) {
    json += (json.size() > 1 ? ",\n " : "") + members.substr(1, members.size() - 2);
  };
  add_line(json_object({{"tool", "snellen"},
                        {"version", version()},
                        {"command", ending.command},
                        {"model", ending.settings.model},
                        {"name", ending.settings.name},
                        {"seed", ending.settings.seed},
                        {"compat", ending.settings.is_compat},
                        {"wall_seconds", ending.seconds()}}));
  add_line(json_object({{"counts",
                         JsonObject{{"total", counts.total()},
                                    {"scored", counts.scored},
                                    {"failed", counts.failed},
                                    {"skipped", counts.skipped}}}}));
  add_line(json_object({{"skipped", skipped_json(samples, task)}}));
  add_line(json_object({{"null_counts", null_counts}}));
  add_line(json_object({{"intervals", intervals}}));
  if (!report.extra.empty()) add_line(report.extra.to_json());
  fs::path relative = report.results_folder / "run_meta.json";
  write_text_file(ending.paths.folder / relative, json + "}\n");
  return relative;
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
      const fs::path log = write_log(ending.paths.folder / report.log_folder,
                                     log_lines(ending, samples, task, report));
      fs::path relative = report.log_folder / log;
      written.push_back({task, std::move(report), std::move(relative)});
    }
  }
  return written;
}

}  // namespace snellen::run
