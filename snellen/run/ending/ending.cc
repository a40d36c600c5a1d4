// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/ending.h"

#include <future>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/ending/seed_files.h"
#include "snellen/run/stamp.h"

namespace snellen::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kFailuresShown = 20;

const char* stamped(Verdict verdict) {
  switch (verdict) {
    case Verdict::kComplete:
      return "complete";
    case Verdict::kFailures:
      return "failures";
    case Verdict::kInterrupted:
      break;
  }
  return "interrupted";
}

// Writes results.json and the files of the papers; gives the digest of the samples and puts the
// hash of every file into the stamp.
std::string write_results(const Ending& ending,
                          store::Samples& samples,
                          Json& stamp,
                          store::Results& results) {
  const RunSettings& settings = ending.settings;
  samples.read_with(settings.num_threads);
  // Metrics and digest are made from connections of their own while the papers' files are written.
  auto aside = [&](const auto& work) {
    return std::async(std::launch::async, [&samples, &settings, work] {
      store::Samples own = store::Samples::open_to_read(samples.path());
      own.read_with(settings.num_threads);
      return work(own);
    });
  };
  auto measured =
      aside([&](store::Samples& own) { return all_metrics(ending.tasks, settings, own); });
  auto digest = aside([](store::Samples& own) { return own.digest(); });
  std::vector<SeedFiles> written = write_seed_files(ending, samples);
  results = {settings.folder().filename().string(), measured.get(), settings.ties};
  if (!settings.is_compat) {
    for (const SeedFiles& files : written) write_run_meta(ending, samples, files, results.metrics);
  }
  write_text_file(ending.paths.results(), store::results_to_json(results));
  auto add_hash = [&](const std::filesystem::path& file) {
    stamp["files"][file.generic_string()] = sha256_of_file(ending.paths.folder / file);
  };
  for (const SeedFiles& files : written) {
    for (const std::filesystem::path& file : files.report.files) add_hash(file);
  }
  add_hash(ending.paths.results().filename());
  return digest.get();
}

void finish_stamp(Json& stamp, const RunSummary& summary, const std::string& digest) {
  for (const TaskSummary& task : summary.tasks) {
    const store::SampleCounts& counts = task.counts;
    stamp["counts"][task.name] = {{"total", counts.total()},
                                  {"scored", counts.scored},
                                  {"failed", counts.failed},
                                  {"skipped", counts.skipped}};
  }
  stamp["samples_sha256"] = digest;
  stamp["finished"] = utc_now();
  stamp["seconds"] = summary.seconds;
  stamp["verdict"] = stamped(summary.verdict);
}

}  // namespace

void sum_up(RunSummary& summary,
            const std::vector<OpenTask>& tasks,
            store::Samples& samples,
            bool is_complete) {
  uint64_t num_others = 0;  // failed or skipped
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    summary.tasks.push_back({tasks[task].name,
                             samples.counts(task),
                             samples.failures(task, kFailuresShown),
                             tasks[task].task->notes()});
    const store::SampleCounts& counts = summary.tasks.back().counts;
    num_others += counts.failed + counts.skipped;
  }
  summary.verdict = !is_complete     ? Verdict::kInterrupted
                    : num_others > 0 ? Verdict::kFailures
                                     : Verdict::kComplete;
}

void write_results_so_far(const Ending& ending,
                          const std::vector<bool>& is_left_out,
                          store::Samples& samples) {
  const RunSettings& settings = ending.settings;
  const store::Results results{settings.folder().filename().string(),
                               all_metrics(ending.tasks, settings, samples, is_left_out),
                               settings.ties};
  write_text_file(ending.paths.results(), store::results_to_json(results));
}

void end_run(const Ending& ending,
             Json stamp,
             bool is_complete,
             store::Samples& samples,
             RunSummary& summary) {
  sum_up(summary, ending.tasks, samples, is_complete);
  const std::string digest =
      is_complete ? write_results(ending, samples, stamp, summary.results) : samples.digest();
  summary.seconds = ending.seconds();
  if (const auto shown = samples.visual_digest(); shown.count > 0)
    stamp["visuals"] = {{"count", shown.count}, {"sha256", shown.sha256}};
  finish_stamp(stamp, summary, digest);
  store::write_stamp(ending.paths, stamp);
}

void expect_scored(const RunSummary& summary) {
  if (summary.verdict == Verdict::kInterrupted) return;
  uint64_t num_others = 0;
  const store::Sample* first = nullptr;
  for (const TaskSummary& task : summary.tasks) {
    if (task.counts.scored > 0) return;
    num_others += task.counts.total();
    if (!first && !task.failures.empty()) first = &task.failures.front();
  }
  if (!first) {
    throw Error{ErrorCode::kNothingScored,
                "no item was there to be scored",
                summary.folder.string(),
                "check --data, --limit and the image folders"};
  }
  throw Error{
      ErrorCode::kNothingScored,
      fmt::format(
          "none of {} items was scored; the first: {}", num_others, first->error->message()),
      first->error->where(),
      first->error->hint()};
}

}  // namespace snellen::run
