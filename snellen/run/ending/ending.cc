// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/ending.h"

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/base/start_beside.h"
#include "snellen/run/ending/answers_file.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/ending/run_files.h"
#include "snellen/run/ending/seed_files.h"
#include "snellen/run/stamp.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
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
    return start_beside([&samples, &settings, work] {
      store::Samples own = store::Samples::open_to_read(samples.path());
      own.read_with(settings.num_threads);
      return work(own);
    });
  };
  auto measured =
      aside([&](store::Samples& own) { return all_metrics(ending.tasks, settings, own); });
  auto digest = aside([](store::Samples& own) { return own.digest(); });
  std::vector<SeedFiles> written;
  if (ending.rung.empty()) written = write_seed_files(ending, samples);
  results = {ending.run_name(), measured.get(), settings.ties};
  if (!settings.is_compat) {
    for (const SeedFiles& files : written)
      record_file(write_run_meta(ending, samples, files, results.metrics), stamp);
  }
  write_text_file(ending.paths.results(), store::results_to_json(results));
  auto add_hash = [&](const std::filesystem::path& file) {
    stamp["files"][file.generic_string()] = sha256_of_file(ending.paths.folder / file);
  };
  for (const SeedFiles& files : written) {
    for (const std::filesystem::path& file : files.report.files) add_hash(file);
    record_file(files.log, stamp);
  }
  if (const auto answers = write_answers(ending, samples)) add_hash(*answers);
  add_hash(ending.paths.results().filename());
  if (ending.more_files) {
    for (const std::filesystem::path& file : ending.more_files(results)) add_hash(file);
  }
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
  if (!summary.notes.empty()) stamp["notes"] = summary.notes;
  stamp["samples_sha256"] = digest;
  stamp["finished"] = utc_now();
  stamp["seconds"] = summary.seconds;
  stamp["verdict"] = stamped(summary.verdict);
}

uint64_t num_items_of(const OpenTask& task) {
  uint64_t count = 0;
  for (const tasks::Part& part : task.parts) count += part.num_items;
  return count;
}

// The score that all items have; nothing where there are others, or only one.
std::optional<double> only_score_of(store::Samples& samples, uint32_t task, uint64_t num_items) {
  constexpr uint64_t kAtOnce = 64;  // a model that tells its texts apart does so among the first
  std::optional<double> first;
  uint64_t num_scores = 0;
  bool differs = false;
  for (uint64_t begin = 0; begin < num_items && !differs; begin += kAtOnce) {
    samples.for_each_between(task, begin, begin + kAtOnce, [&](const store::Sample& sample) {
      if (sample.status != store::SampleStatus::kScored) return;
      differs = differs || !sample.answers.empty();
      for (double score : sample.scores) {
        ++num_scores;
        if (!first) first = score;
        differs = differs || score != *first;  // NaN too: not given
      }
    });
  }
  return differs || num_scores < 2 ? std::nullopt : first;
}

}  // namespace

std::string Ending::run_name() const {
  const std::string run = settings.folder().filename().string();
  return rung.empty() ? run : fmt::format("{}@{}", run, rung);
}

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
    if (is_complete)
      summary.tasks.back().only_score = only_score_of(samples, task, num_items_of(tasks[task]));
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
  const store::Results results{
      ending.run_name(), all_metrics(ending.tasks, settings, samples, is_left_out), settings.ties};
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

namespace {

// A picture that is not there: the folder is another one, mostly that below or above.
std::string advice_on(const Error& error) {
  const fs::path file = error.where();
  const std::string ending = file.extension().string();
  const bool is_picture = ending == ".jpg" || ending == ".jpeg" || ending == ".png";
  if (error.code() != ErrorCode::kNotFound || !is_picture) return error.hint();
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(file.parent_path(), ignored)) {
    if (fs::exists(entry.path() / file.filename(), ignored))
      return fmt::format("it lies one folder below: --images {}", entry.path().string());
  }
  return "name the folder that holds the pictures with --images DIR";
}

}  // namespace

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
      advice_on(*first->error)};
}

}  // namespace snellen::run
