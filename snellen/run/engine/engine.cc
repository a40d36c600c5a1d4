// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/engine.h"

#include <algorithm>
#include <chrono>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/heap.h"
#include "snellen/base/seconds_since.h"
#include "snellen/base/start_beside.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/control/rung_folders.h"
#include "snellen/run/ending/dump.h"
#include "snellen/run/ending/ending.h"
#include "snellen/run/ending/item_features.h"
#include "snellen/run/ending/measure.h"
#include "snellen/run/ending/run_files.h"
#include "snellen/run/ending/shown_pictures.h"
#include "snellen/run/engine/full_disk.h"
#include "snellen/run/engine/recorder.h"
#include "snellen/run/engine/visual_files.h"
#include "snellen/run/keeping.h"
#include "snellen/run/open_model.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/plan.h"
#include "snellen/run/ranks/chunks.h"
#include "snellen/run/ranks/ranks.h"
#include "snellen/run/scoring.h"
#include "snellen/run/stamp.h"
#include "snellen/store/marks.h"
#include "snellen/store/run_folder.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Opened {
  std::vector<OpenTask> tasks = {};
  InputHashes hashes = {};
  std::unique_ptr<models::Model> model = nullptr;
};

// What is wrong with tasks mostly shows within this time, before anybody waits for weights. Tasks
// that take longer open beside the model.
constexpr std::chrono::milliseconds kQuickTasks(50);

Opened open_side_by_side(const RunRequest& request, RunSettings& settings) {
  // A name that is no model's is told before anybody waits for tasks.
  if (settings.is_folder)
    inference::folder_of_model(request.catalogue.installation, settings.model);
  const RunSettings begun = settings;  // tasks may add their names while the model opens
  std::future<std::vector<OpenTask>> opening = start_beside([&] {
    std::vector<OpenTask> tasks = open_tasks(request.catalogue, request.options, settings);
    check_dumps(request.options, tasks);
    return tasks;
  });
  std::future<std::unique_ptr<models::Model>> model;
  // Tasks of a file name the run folder, whose stamp may tell how the model is opened.
  const bool is_named = std::none_of(begun.tasks.begin(), begun.tasks.end(), [](const auto& task) {
    return task.find(':') != std::string::npos;
  });
  if (begun.is_folder && is_named && opening.wait_for(kQuickTasks) != std::future_status::ready)
    model = start_beside([&] { return open_model(request, begun, {}); });
  Opened opened{.tasks = opening.get()};
  std::future<InputHashes> hashes = start_beside([&] { return input_hashes(opened.tasks); });
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

// The same for items that somebody marked.
uint64_t leave_marked_out(const Plan& plan,
                          const std::vector<OpenTask>& tasks,
                          const std::vector<fs::path>& files,
                          std::vector<std::vector<bool>>& done) {
  if (files.empty()) return 0;
  const store::MarkedItems marked(files);
  uint64_t count = 0;
  for (uint64_t index = 0; index < plan.size(); ++index) {
    const PlannedItem planned = plan[index];
    if (done[planned.task][planned.position]) continue;
    const OpenTask& task = tasks[planned.task];
    const Result<tasks::Item> item = task.task->item(planned.position);
    if (!marked.contains(task.name, name_of_item(task, planned, item))) continue;
    done[planned.task][planned.position] = true;
    ++count;
  }
  return count;
}

std::string left_out_note(uint64_t count, const std::vector<fs::path>& files) {
  return count == 0 ? fmt::format("no item of this run is marked in {}", files.front().string())
                    : fmt::format("{} marked items were left out (--leave-out)", count);
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
template <typename AnySamples>
std::vector<std::vector<bool>> recorded_items(const std::vector<OpenTask>& tasks,
                                              AnySamples& samples) {
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
               LadderSamples& samples,
               RunSummary& summary,
               uint64_t& num_left_out,
               RankZero* rank_zero = nullptr,
               const Recorder::OnTaskEnd& on_task_end = {}) {
  Plan plan(tasks, settings.limit);
  std::vector<std::vector<bool>> done = recorded_items(tasks, samples);
  const uint64_t num_of_others = leave_to_others(plan, tasks, settings.shard, done);
  const auto& marks = request.options.get<KeepingSettings>().marks;
  num_left_out = leave_marked_out(plan, tasks, marks, done);
  Progress progress{.total = plan.size() - num_of_others - num_left_out};
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
  summary.notes = tasks::ignored_flags(request.options.get<tasks::SharedSettings>());
  if (!marks.empty()) summary.notes.push_back(left_out_note(num_left_out, marks));
  for (std::string& note : model.notes()) summary.notes.push_back(std::move(note));
  summary.num_truncated = model.num_truncated();
  if (rank_zero) {
    for (std::string& note : summary.notes) note.insert(0, "rank 0: ");
    for (std::string& note : rank_zero->notes()) summary.notes.push_back(std::move(note));
  }
  summary.resumed = progress.resumed;
  return recorder.progress().done >= recorder.progress().total;
}

// Tells of a stage that comes after the items.
std::function<void(uint64_t, uint64_t)> stage_progress(const RunRequest& request,
                                                       const char* unit) {
  if (!request.on_progress) return [](uint64_t, uint64_t) {};
  return [&request, unit, start = Clock::now()](uint64_t done, uint64_t total) {
    request.on_progress(
        {.done = done, .total = total, .seconds = seconds_since(start), .unit = unit});
  };
}

// Pictures and features, which nothing that is measured depends on. False when it was stopped: the
// run is not over then, and goes on with them.
bool keep_for_viewers(const RunRequest& request,
                      const RunSettings& settings,
                      const Opened& opened,
                      const Ladder& ladder,
                      const store::RunPaths& paths,
                      store::Samples& samples,
                      nlohmann::ordered_json& stamp) {
  const auto& keeping = request.options.get<KeepingSettings>();
  const bool has_features = write_features({opened.tasks,
                                            settings,
                                            *opened.model,
                                            paths,
                                            keeping.feature_groups,
                                            request.is_stopped,
                                            stage_progress(request, "items for the feature map")});
  if (!has_features) return false;
  if (!opened.model->looks() || keeping.picture_mb <= 0) return true;
  const std::optional<KeptPictures> kept = keep_pictures({opened.tasks,
                                                          ladder,
                                                          settings,
                                                          *opened.model,
                                                          paths,
                                                          keeping.picture_mb,
                                                          request.is_stopped,
                                                          stage_progress(request, "pictures kept")},
                                                         samples);
  if (kept) stamp["pictures"] = stamped_pictures(*kept);
  return kept.has_value();
}

bool is_begun(const store::RunPaths& paths) {
  return fs::exists(paths.stamp()) || fs::exists(paths.samples());
}

RunSummary run_to_the_end(const RunRequest& request) {
  Clock::time_point start = Clock::now();
  // First, so that the other ranks are sent home however this ends.
  std::optional<RankZero> rank_zero;
  if (request.ranks) rank_zero.emplace(*request.ranks);
  RunSettings settings = settings_of(request.options, request.catalogue);
  Opened opened = open_side_by_side(request, settings);
  const std::vector<OpenTask>& tasks = opened.tasks;
  if (opened.model->looks()) expect_image_folders(tasks);

  // What may refuse the run is asked before its folder is made.
  nlohmann::ordered_json stamp =
      begin_stamp(identity_of(request.options, settings, tasks, opened.hashes, *opened.model),
                  request.options,
                  settings,
                  request.command);
  stamp["input_paths"] = input_paths(tasks);
  const Ladder ladder = ladder_of(tasks, settings, *opened.model);

  RunSummary summary;
  summary.folder = settings.folder();
  store::RunPaths paths(summary.folder);
  store::RunLock lock(paths);
  remove_half_written(paths.folder);
  if (settings.overwrites) remove_run_files(paths);
  remove_if_nothing_scored(paths);
  if (settings.overwrites || !is_begun(paths)) expect_no_such_files(paths);
  nlohmann::ordered_json before = nlohmann::ordered_json::object();
  if (fs::exists(paths.stamp())) {
    before = store::read_stamp(paths);
    check_same_run(before, stamp, paths);
  }
  store::Samples samples = store::Samples::open_to_write(paths.samples());
  samples.set_tasks(task_records(tasks));
  expect_same_run(samples, facts_of(stamp["identity"], settings.shard));
  expect_same_files(
      {Plan(tasks, settings.limit), tasks, recorded_items(tasks, samples), settings.num_threads},
      samples);
  RungFolders rungs(ladder, paths, stamp, settings);
  LadderSamples all_samples(ladder, rungs.with(samples));
  keep_record_of_files(before, stamp);
  store::write_stamp(paths, stamp);

  if (rank_zero) rank_zero->expect(stamp["identity"]);
  Ending ending{.paths = paths,
                .tasks = tasks,
                .settings = settings,
                .command = request.command,
                .seconds = [start] { return seconds_since(start); }};
  auto write_ended = [&](const std::vector<bool>& is_open) {
    write_results_so_far(
        ending, {is_open.begin(), is_open.begin() + static_cast<ptrdiff_t>(tasks.size())}, samples);
  };
  uint64_t num_left_out = 0;
  bool is_complete = score_all(request,
                               settings,
                               ladder.tasks,
                               *opened.model,
                               all_samples,
                               summary,
                               num_left_out,
                               rank_zero ? &*rank_zero : nullptr,
                               write_ended);
  const bool looks = opened.model->looks();
  if (is_complete && looks) hash_shown_files(samples, settings.num_threads);
  if (num_left_out > 0) stamp["left_out"] = num_left_out;
  if (is_complete)
    is_complete = keep_for_viewers(request, settings, opened, ladder, paths, samples, stamp);
  // What the model took is not needed while results are made.
  opened.model.reset();
  give_back_freed_memory();
  if (is_complete) write_dumps(request.options, settings, tasks, samples);
  rungs.end(ending, is_complete, looks, summary);
  if (!ladder.asked.empty()) {
    ending.more_files = [&](const store::Results& results) {
      summary.control = rungs.report(ladder, ending, samples, results);
      return write_control(*summary.control, ending.run_name(), paths.folder);
    };
  }
  end_run(ending, std::move(stamp), is_complete, samples, summary);
  expect_scored(summary);
  for (const TaskSummary& rung : summary.rungs) {
    const bool has_failures = rung.counts.failed + rung.counts.skipped > 0;
    if (has_failures && summary.verdict == Verdict::kComplete) summary.verdict = Verdict::kFailures;
  }
  return summary;
}

}  // namespace

RunSummary run_tasks(const RunRequest& request) {
  const fs::path& output = request.options.get<RunSettings>().output;
  std::error_code ignored;
  const bool is_new = !fs::exists(output, ignored);
  try {
    return run_to_the_end(request);
  } catch (const Error& error) {
    // A refused run leaves no folder; one that holds anything stays.
    if (is_new) fs::remove(output, ignored);
    if (error.code() != ErrorCode::kIo) throw;
    throw with_next_step(
        error, request.options.get<RunSettings>().output.string(), request.command);
  }
}

void help_with_run(const RunRequest& request) {
  RunSettings settings;
  std::vector<OpenTask> tasks;
  Ladder ladder;
  std::unique_ptr<models::Model> model;
  std::optional<Plan> plan;
  auto open = [&] {
    settings = settings_of(request.options, request.catalogue);
    tasks = open_tasks(request.catalogue, request.options, settings);
    model = open_model(request, settings, tasks);
    ladder = ladder_of(tasks, settings, *model);
    plan.emplace(ladder.tasks, settings.limit);
    return dist::OpenedRank{
        traits_of(*request.ranks,
                  identity_of(request.options, settings, tasks, input_hashes(tasks), *model)),
        score_of_rank({*plan, ladder.tasks, *model, settings}),
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
  uint64_t num_left_out = 0;
  if (!settings.control.empty())
    throw Error{ErrorCode::kUsage,
                "controls are kept in the run folder",
                "--control",
                "name a folder with --output"};
  const Ladder ladder = ladder_of(tasks, settings, *model);
  LadderSamples all_samples(ladder, {&samples});
  bool is_complete =
      score_all(request, settings, tasks, *model, all_samples, summary, num_left_out);
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
