// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/engine.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/heap.h"
#include "snellen/run/ending/dump.h"
#include "snellen/run/ending/ending.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/engine/full_disk.h"
#include "snellen/run/engine/recorder.h"
#include "snellen/run/engine/visual_files.h"
#include "snellen/run/open_model.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/plan.h"
#include "snellen/run/ranks/chunks.h"
#include "snellen/run/ranks/ranks.h"
#include "snellen/run/scoring.h"
#include "snellen/run/stamp.h"
#include "snellen/store/run_folder.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Opened {
  std::vector<OpenTask> tasks = {};
  InputHashes hashes = {};
  std::unique_ptr<models::Model> model = nullptr;
};

// What is wrong with tasks mostly shows within this time, before anybody waits for weights. Tasks
// that take longer open beside the model.
constexpr std::chrono::milliseconds kQuickTasks(50);

Opened open_side_by_side(const RunRequest& request, RunSettings& settings) {
  const RunSettings begun = settings;  // tasks may add their names while the model opens
  std::future<std::vector<OpenTask>> opening = std::async(std::launch::async, [&] {
    std::vector<OpenTask> tasks = open_tasks(request.catalogue, request.options, settings);
    check_dumps(request.options, tasks);
    return tasks;
  });
  std::future<std::unique_ptr<models::Model>> model;
  if (begun.is_folder && opening.wait_for(kQuickTasks) != std::future_status::ready)
    model = std::async(std::launch::async, [&] { return open_model(request, begun, {}); });
  Opened opened{.tasks = opening.get()};
  std::future<InputHashes> hashes =
      std::async(std::launch::async, [&] { return input_hashes(opened.tasks); });
  opened.model = model.valid() ? model.get() : open_model(request, settings, opened.tasks);
  opened.hashes = hashes.get();
  return opened;
}

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

// Items of each task that are still to be scored.
std::vector<uint64_t> open_items(const Plan& plan,
                                 size_t num_tasks,
                                 const std::vector<std::vector<bool>>& done) {
  std::vector<uint64_t> counts(num_tasks, 0);
  for (uint64_t index = 0; index < plan.size(); ++index) {
    const PlannedItem planned = plan[index];
    if (!done[planned.task][planned.position]) ++counts[planned.task];
  }
  return counts;
}

// By task and position: what is recorded.
std::vector<std::vector<bool>> recorded_items(const std::vector<OpenTask>& tasks,
                                              store::Samples& samples) {
  std::vector<std::vector<bool>> done;
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    uint64_t num_items = 0;
    for (const tasks::Part& part : tasks[task].parts) num_items += part.num_items;
    done.push_back(samples.done(task, num_items));
  }
  return done;
}

// Scores what is not recorded yet. True when it came to the end.
bool score_all(const RunRequest& request,
               const RunSettings& settings,
               const std::vector<OpenTask>& tasks,
               models::Model& model,
               store::Samples& samples,
               RunSummary& summary,
               RankZero* rank_zero = nullptr,
               const Recorder::OnTaskEnd& on_task_end = {}) {
  Plan plan(tasks, settings.limit);
  std::vector<std::vector<bool>> done = recorded_items(tasks, samples);
  Progress progress{.total = plan.size() - leave_to_others(plan, tasks, settings.shard, done)};
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    store::SampleCounts counts = samples.counts(task);
    progress.resumed += counts.total();
    progress.failed += counts.failed + counts.skipped;
  }
  progress.done = progress.resumed;
  // Samples come in order of position unless some are there already or other ranks send them.
  Survey survey{{}, DuplicateGuard(tasks.size())};
  if (rank_zero || progress.resumed > 0)
    survey = survey_items({plan, tasks, settings.shard, done, settings.num_threads});
  Recorder recorder(
      samples, model, request, settings.fails_fast, progress, std::move(survey.guard));
  if (on_task_end && tasks.size() > 1)
    recorder.watch_tasks(open_items(plan, tasks.size(), done), on_task_end);
  try {
    if (rank_zero) {
      rank_zero->score(std::move(survey.chunks),
                       {plan, tasks, model, settings},
                       {[&](std::vector<store::Sample>&& rows) { recorder.take(std::move(rows)); },
                        [&] { recorder.commit_if_due(); },
                        [&] { recorder.commit(); }},
                       request.is_stopped);
    } else {
      ItemList items{plan.size(), [&](uint64_t index) {
                       PlannedItem planned = plan[index];
                       return done[planned.task][planned.position] ? std::nullopt
                                                                   : std::optional(planned);
                     }};
      score_items(items,
                  tasks,
                  model,
                  {settings.batch_size, settings.num_threads, request.is_stopped},
                  [&](std::vector<store::Sample>&& rows) { recorder.take(std::move(rows)); });
    }
  } catch (const std::exception&) {
    // What was scored before the failure is kept, unless keeping it is what failed.
    recorder.try_to_commit();
    throw;
  }
  recorder.commit();
  summary.notes = model.notes();
  if (rank_zero) {
    for (std::string& note : summary.notes) note.insert(0, "rank 0: ");
    for (std::string& note : rank_zero->notes()) summary.notes.push_back(std::move(note));
  }
  summary.resumed = progress.resumed;
  return recorder.progress().done >= recorder.progress().total;
}

void clear_folder(const store::RunPaths& paths) {
  for (const fs::directory_entry& entry : fs::directory_iterator(paths.folder)) {
    if (entry.path() != paths.lock()) fs::remove_all(entry.path());
  }
}

RunSummary run_to_the_end(const RunRequest& request) {
  Clock::time_point start = Clock::now();
  // First, so that the other ranks are sent home however this ends.
  std::optional<RankZero> rank_zero;
  if (request.ranks) rank_zero.emplace(*request.ranks);
  RunSettings settings = settings_of(request.options, request.catalogue);
  Opened opened = open_side_by_side(request, settings);
  const std::vector<OpenTask>& tasks = opened.tasks;

  RunSummary summary;
  summary.folder = settings.folder();
  store::RunPaths paths(summary.folder);
  store::RunLock lock(paths);
  remove_half_written(paths.folder);
  if (settings.overwrites) clear_folder(paths);
  nlohmann::ordered_json stamp =
      begin_stamp(identity_of(request.options, settings, tasks, opened.hashes, *opened.model),
                  request.options,
                  settings,
                  request.command);
  stamp["input_paths"] = input_paths(tasks);
  if (fs::exists(paths.stamp())) check_same_run(store::read_stamp(paths), stamp, paths);
  store::Samples samples = store::Samples::open_to_write(paths.samples());
  samples.set_tasks(task_records(tasks));
  expect_same_run(samples, facts_of(stamp["identity"], settings.shard));
  expect_same_files(
      {Plan(tasks, settings.limit), tasks, recorded_items(tasks, samples), settings.num_threads},
      samples);
  store::write_stamp(paths, stamp);

  if (rank_zero) rank_zero->expect(stamp["identity"]);
  const Ending ending{
      paths, tasks, settings, request.command, [start] { return seconds_since(start); }};
  auto write_ended = [&](const std::vector<bool>& is_open) {
    write_results_so_far(ending, is_open, samples);
  };
  bool is_complete = score_all(request,
                               settings,
                               tasks,
                               *opened.model,
                               samples,
                               summary,
                               rank_zero ? &*rank_zero : nullptr,
                               write_ended);
  if (is_complete && opened.model->looks()) hash_shown_files(samples, settings.num_threads);
  // What the model took is not needed while results are made.
  opened.model.reset();
  give_back_freed_memory();
  if (is_complete) write_dumps(request.options, settings, tasks, samples);
  end_run(ending, std::move(stamp), is_complete, samples, summary);
  expect_scored(summary);
  return summary;
}

}  // namespace

RunSummary run_tasks(const RunRequest& request) {
  try {
    return run_to_the_end(request);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kIo) throw;
    throw with_next_step(
        error, request.options.get<RunSettings>().output.string(), request.command);
  }
}

void help_with_run(const RunRequest& request) {
  RunSettings settings;
  std::vector<OpenTask> tasks;
  std::unique_ptr<models::Model> model;
  std::optional<Plan> plan;
  auto open = [&] {
    settings = settings_of(request.options, request.catalogue);
    tasks = open_tasks(request.catalogue, request.options, settings);
    model = open_model(request, settings, tasks);
    plan.emplace(tasks, settings.limit);
    return dist::OpenedRank{
        traits_of(*request.ranks,
                  identity_of(request.options, settings, tasks, input_hashes(tasks), *model)),
        score_of_rank({*plan, tasks, *model, settings}),
        [&model] { return model->notes(); }};
  };
  dist::work(request.ranks->link, {.open = open, .is_stopped = request.is_stopped});
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
  sum_up(summary, tasks, samples, is_complete);
  expect_scored(summary);
  if (is_complete) {
    summary.results = {settings.name, all_metrics(tasks, settings, samples), settings.ties};
    write_dumps(request.options, settings, tasks, samples);
  }
  summary.seconds = seconds_since(start);
  return summary;
}

}  // namespace snellen::run
