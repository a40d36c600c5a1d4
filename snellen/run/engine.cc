// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine.h"

#include <chrono>

#include <fmt/format.h>

#include "snellen/base/hash.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/run/asks.h"
#include "snellen/run/dump.h"
#include "snellen/run/duplicates.h"
#include "snellen/run/finish.h"
#include "snellen/run/plan.h"
#include "snellen/run/stamp.h"
#include "snellen/run/task_record.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Rows are committed together until there are this many or this much time has passed: what a killed
// process loses.
constexpr size_t kRowsACommit = 8192;
constexpr double kSecondsACommit = 0.5;
constexpr size_t kFailuresShown = 20;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::unique_ptr<models::Model> open_model(const RunRequest& request,
                                          const RunSettings& settings,
                                          const std::vector<OpenTask>& tasks) {
  if (settings.is_folder) {
    if (!request.catalogue.open_folder)
      throw Error{ErrorCode::kUsage, "this program opens no checkpoint folders", "--model"};
    return request.catalogue.open_folder({settings.model, settings, request.options, request.seat});
  }
  const models::ModelEntry& entry = request.catalogue.model(settings.model);
  size_t colon = settings.model.find(':');
  models::ModelRequest wanted{
      .argument = colon == std::string::npos ? "" : settings.model.substr(colon + 1),
      .seed = settings.seed,
      .options = &request.options,
      .is_compat = settings.is_compat,
      .working_folder = settings.output,
      .say = request.on_message};
  const tasks::Task* task = tasks.front().task.get();
  bool is_alone = tasks.size() == 1;
  wanted.read_line = [task, is_alone](std::string_view line) -> Result<models::FileScores> {
    if (!is_alone)
      throw Error{ErrorCode::kUsage,
                  "a score file holds the scores of one task",
                  "--tasks",
                  "name one task a run"};
    Result<tasks::ScoreLine> read = task->read_score_line(line);
    if (!read) return read.error();
    return models::FileScores{read->item, read->scores};
  };
  return entry.open(wanted);
}

// Scores one item and says what it came to; whatever is wrong with it becomes part of the sample.
store::Sample score_item(const OpenTask& task,
                         const PlannedItem& planned,
                         const models::Model& model) {
  Clock::time_point start = Clock::now();
  store::Sample sample{.task = planned.task,
                       .position = planned.position,
                       .part = planned.part,
                       .item = {},
                       .cluster = {},
                       .category = {}};
  auto fail = [&](const Error& error, store::SampleStatus status) {
    sample.status = status;
    sample.error = error;
    if (sample.item.empty())
      sample.item = fmt::format("{}@{}", task.parts[planned.part].name, planned.position);
    sample.micros = static_cast<uint64_t>(seconds_since(start) * 1e6);
    return sample;
  };
  Result<tasks::Item> made = task.task->item(planned.position);
  if (!made) return fail(made.error(), store::SampleStatus::kFailed);
  tasks::Item item = std::move(made).value();
  sample.item = item.id;
  sample.cluster = item.cluster;
  sample.category = item.category;
  std::vector<models::Cell> cells = cells_of(item);
  const models::Ask ask = ask_of(task, planned.task, item, cells);
  Result<std::vector<double>> scores = model.score(ask);
  if (!scores) {
    bool is_absent = scores.error().code() == ErrorCode::kNotFound;
    return fail(scores.error(),
                is_absent ? store::SampleStatus::kSkipped : store::SampleStatus::kFailed);
  }
  models::Shown shown = model.shown(ask);
  item.kind = shown.kind;
  item.frames = std::move(shown.frames);
  Result<tasks::Outcome> outcome = task.task->judge(item, *scores);
  if (!outcome) {
    bool is_absent = outcome.error().code() == ErrorCode::kNotFound;
    return fail(outcome.error(),
                is_absent ? store::SampleStatus::kSkipped : store::SampleStatus::kFailed);
  }
  sample.scores = std::move(scores).value();
  sample.values = outcome->values;
  sample.ties = outcome->tied_columns;
  sample.is_correct = outcome->is_correct;
  sample.margin = outcome->margin;
  sample.detail = outcome->detail;
  sample.micros = static_cast<uint64_t>(seconds_since(start) * 1e6);
  return sample;
}

// Takes scored batches in order and commits them to the store.
class Recorder {
 public:
  Recorder(store::Samples& samples,
           const models::Model& model,
           const RunRequest& request,
           bool fails_fast,
           Progress progress)
      : samples_(samples),
        model_(model),
        request_(request),
        guard_(samples),
        fails_fast_(fails_fast),
        progress_(progress) {}

  void take(std::vector<store::Sample>&& batch) {
    std::optional<Error> failure;
    for (store::Sample& sample : batch) {
      guard_.check(sample);
      ++progress_.done;
      if (sample.status != store::SampleStatus::kScored) {
        ++progress_.failed;
        if (!failure) failure = sample.error;
      }
      rows_.push_back(std::move(sample));
    }
    if (rows_.size() >= kRowsACommit || seconds_since(last_commit_) >= kSecondsACommit) commit();
    progress_.seconds = seconds_since(start_);
    if (request_.on_progress) {
      progress_.limited_by = model_.limited_by();
      request_.on_progress(progress_);
    }
    if (fails_fast_ && failure) {
      commit();
      throw *failure;
    }
  }

  void commit() {
    if (!rows_.empty()) samples_.add(rows_);
    rows_.clear();
    last_commit_ = Clock::now();
  }

  // After a failure, which is the one to be told.
  void try_to_commit() noexcept {
    try {
      commit();
    } catch (const Error&) {
      rows_.clear();
    }
  }

  const Progress& progress() const { return progress_; }

 private:
  store::Samples& samples_;
  const models::Model& model_;
  const RunRequest& request_;
  DuplicateGuard guard_;
  bool fails_fast_;
  Progress progress_;
  std::vector<store::Sample> rows_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_commit_ = Clock::now();
};

// Marks the items of other shards as done; gives their number.
uint64_t leave_to_others(const Plan& plan,
                         const std::vector<OpenTask>& tasks,
                         const Shard& shard,
                         std::vector<std::vector<bool>>& done) {
  if (shard.count <= 1) return 0;
  uint64_t count = 0;
  for (uint64_t index = 0; index < plan.size(); ++index) {
    PlannedItem planned = plan[index];
    Result<tasks::Item> item = tasks[planned.task].task->item(planned.position);
    if (is_of_shard(shard, item ? &*item : nullptr, planned.position)) continue;
    done[planned.task][planned.position] = true;
    ++count;
  }
  return count;
}

// Scores what is not recorded yet. True when it came to the end.
bool score_all(const RunRequest& request,
               const RunSettings& settings,
               const std::vector<OpenTask>& tasks,
               models::Model& model,
               store::Samples& samples,
               RunSummary& summary) {
  Plan plan(tasks, settings.limit);
  std::vector<std::vector<bool>> done;
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    uint64_t num_items = 0;
    for (const tasks::Part& part : tasks[task].parts) num_items += part.num_items;
    done.push_back(samples.done(task, num_items));
  }
  Progress progress{.total = plan.size() - leave_to_others(plan, tasks, settings.shard, done)};
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    store::SampleCounts counts = samples.counts(task);
    progress.resumed += counts.total();
    progress.failed += counts.failed + counts.skipped;
  }
  progress.done = progress.resumed;
  auto is_stopped = [&] { return request.is_stopped && request.is_stopped(); };
  // Every ask that is still to be answered, for models that work ahead.
  model.prepare(asks_of(tasks,
                        plan,
                        [&](const PlannedItem& one) { return !done[one.task][one.position]; },
                        {settings.num_threads, is_stopped}),
                request.is_stopped);
  Recorder recorder(samples, model, request, settings.fails_fast, progress);
  // A model that waits for somebody else is asked item by item, so that none waits for its batch.
  unsigned at_once = model.asks_at_once();
  uint64_t batch_size = at_once > 0 ? 1 : settings.batch_size;
  uint64_t num_batches = (plan.size() + batch_size - 1) / batch_size;
  auto make = [&](uint64_t batch) {
    std::vector<store::Sample> rows;
    uint64_t end = std::min(plan.size(), (batch + 1) * batch_size);
    for (uint64_t index = batch * batch_size; index < end; ++index) {
      PlannedItem planned = plan[index];
      if (!done[planned.task][planned.position])
        rows.push_back(score_item(tasks[planned.task], planned, model));
    }
    return rows;
  };
  try {
    ordered_pipeline<std::vector<store::Sample>>(
        num_batches,
        at_once > 0 ? at_once : settings.num_threads,
        make,
        [&](std::vector<store::Sample>&& rows) { recorder.take(std::move(rows)); },
        is_stopped);
  } catch (const models::Stopped&) {
    // What was scored before is kept; the rest is for the next process.
  } catch (const Error&) {
    // What was scored before the failure is kept, unless keeping it is what failed.
    recorder.try_to_commit();
    throw;
  }
  recorder.commit();
  summary.notes = model.notes();
  summary.resumed = progress.resumed;
  return recorder.progress().done >= recorder.progress().total;
}

void clear_folder(const store::RunPaths& paths) {
  for (const fs::directory_entry& entry : fs::directory_iterator(paths.folder)) {
    if (entry.path() != paths.lock()) fs::remove_all(entry.path());
  }
}

struct Totals {
  uint64_t scored = 0;
  uint64_t others = 0;  // failed or skipped
};

// The counts, notes and verdict of a run that was scored.
Totals sum_up(RunSummary& summary,
              const std::vector<OpenTask>& tasks,
              store::Samples& samples,
              bool is_complete) {
  Totals totals;
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    summary.tasks.push_back({tasks[task].name,
                             samples.counts(task),
                             samples.failures(task, kFailuresShown),
                             tasks[task].task->notes()});
    const store::SampleCounts& counts = summary.tasks.back().counts;
    totals.scored += counts.scored;
    totals.others += counts.failed + counts.skipped;
  }
  summary.verdict = !is_complete        ? Verdict::kInterrupted
                    : totals.others > 0 ? Verdict::kFailures
                                        : Verdict::kComplete;
  return totals;
}

}  // namespace

RunSummary run_tasks(const RunRequest& request) {
  Clock::time_point start = Clock::now();
  RunSettings settings = settings_of(request.options, request.catalogue);
  std::vector<OpenTask> tasks = open_tasks(request.catalogue, request.options, settings);
  check_dumps(request.options, tasks);
  std::unique_ptr<models::Model> model = open_model(request, settings, tasks);

  RunSummary summary;
  summary.folder = settings.folder();
  store::RunPaths paths(summary.folder);
  store::RunLock lock(paths);
  if (settings.overwrites) clear_folder(paths);
  nlohmann::ordered_json stamp = begin_stamp(identity_of(request.options, settings, tasks, *model),
                                             request.options,
                                             settings,
                                             request.command);
  stamp["input_paths"] = input_paths(tasks);
  if (fs::exists(paths.stamp())) check_same_run(store::read_stamp(paths), stamp, paths);
  store::Samples samples = store::Samples::open_to_write(paths.samples());
  store::write_stamp(paths, stamp);
  samples.set_tasks(task_records(tasks));

  bool is_complete = score_all(request, settings, tasks, *model, samples, summary);
  Totals totals = sum_up(summary, tasks, samples, is_complete);
  summary.seconds = seconds_since(start);
  std::string digest;
  if (is_complete) {
    Finished finished =
        write_results({paths, tasks, settings, request.command, summary.seconds}, samples);
    summary.results = finished.results;
    digest = finished.digest;
    for (const fs::path& file : finished.files)
      stamp["files"][file.generic_string()] = sha256_of_file(paths.folder / file);
    write_dumps(request.options, settings, tasks, samples);
  }
  finish_stamp(stamp,
               summary.verdict == Verdict::kInterrupted ? "interrupted"
               : totals.others > 0                      ? "failures"
                                                        : "complete",
               samples,
               is_complete ? digest : samples.digest(),
               seconds_since(start));
  store::write_stamp(paths, stamp);
  summary.seconds = seconds_since(start);
  if (is_complete && totals.scored == 0)
    throw nothing_scored(summary.tasks.front().failures, totals.others, paths);
  return summary;
}

RunSummary run_in_memory(const RunRequest& request) {
  Clock::time_point start = Clock::now();
  RunSettings settings = settings_of(request.options, request.catalogue);
  std::vector<OpenTask> tasks = open_tasks(request.catalogue, request.options, settings);
  std::unique_ptr<models::Model> model = open_model(request, settings, tasks);
  store::Samples samples = store::Samples::open_in_memory();
  samples.set_tasks(task_records(tasks));
  RunSummary summary;
  bool is_complete = score_all(request, settings, tasks, *model, samples, summary);
  Totals totals = sum_up(summary, tasks, samples, is_complete);
  if (is_complete && totals.scored == 0) {
    throw nothing_scored(summary.tasks.front().failures, totals.others, store::RunPaths({}));
  }
  if (is_complete) {
    summary.results = {settings.name, all_metrics(tasks, settings, samples), settings.ties};
    write_dumps(request.options, settings, tasks, samples);
  }
  summary.seconds = seconds_since(start);
  return summary;
}

}  // namespace snellen::run
