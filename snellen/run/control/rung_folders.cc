// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/control/rung_folders.h"

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/run/engine/visual_files.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/stamp.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::vector<std::vector<bool>> recorded(const Ladder::Step& step, store::Samples& samples) {
  std::vector<std::vector<bool>> done;
  for (uint32_t task = 0; task < step.tasks.size(); ++task) {
    uint64_t num_items = 0;
    for (const tasks::Part& part : step.tasks[task].parts) num_items += part.num_items;
    done.push_back(samples.done(task, num_items));
  }
  return done;
}

}  // namespace

fs::path control_folder(const fs::path& run) {
  return run / "control";
}

Json stamp_of_rung(const Json& run, const Rung& rung) {
  Json stamp = run;
  stamp["identity"]["control"] = rung.name();
  stamp["identity_sha256"] = sha256_hex(store::json_text(stamp["identity"]));
  return stamp;
}

RungFolders::RungFolders(const Ladder& ladder,
                         const store::RunPaths& paths,
                         const Json& run,
                         const RunSettings& settings) {
  for (const Ladder::Step& step : ladder.rungs) {
    const store::RunPaths own(control_folder(paths.folder) / step.rung.folder());
    fs::create_directories(own.folder);
    remove_half_written(own.folder);
    remove_if_nothing_scored(own);
    Json stamp = stamp_of_rung(run, step.rung);
    if (fs::exists(own.stamp())) check_same_run(store::read_stamp(own), stamp, own);
    folders_.push_back(std::make_unique<Folder>(
        Folder{&step, own, stamp, store::Samples::open_to_write(own.samples())}));
    store::Samples& samples = folders_.back()->samples;
    samples.set_tasks(task_records(step.tasks));
    expect_same_run(samples, facts_of(stamp["identity"], settings.shard));
    expect_same_files({Plan(step.tasks, settings.limit),
                       step.tasks,
                       recorded(step, samples),
                       settings.num_threads},
                      samples);
    store::write_stamp(own, stamp);
  }
}

std::vector<store::Samples*> RungFolders::with(store::Samples& own) {
  std::vector<store::Samples*> all = {&own};
  for (const auto& folder : folders_) all.push_back(&folder->samples);
  return all;
}

void RungFolders::end(const Ending& run, bool is_complete, bool looks, RunSummary& summary) {
  for (const auto& folder : folders_) {
    if (is_complete && looks) hash_shown_files(folder->samples, run.settings.num_threads);
    RunSummary ended;
    end_run({.paths = folder->paths,
             .tasks = folder->step->tasks,
             .settings = run.settings,
             .command = run.command,
             .seconds = run.seconds,
             .rung = folder->step->rung.name()},
            folder->stamp,
            is_complete,
            folder->samples,
            ended);
    folder->results = std::move(ended.results);
    for (TaskSummary& task : ended.tasks) {
      task.name += " under " + folder->step->rung.name();
      task.notes.clear();
      summary.rungs.push_back(std::move(task));
    }
  }
}

metrics::ControlReport RungFolders::report(const Ladder& ladder,
                                           const Ending& run,
                                           store::Samples& own,
                                           const store::Results& results) {
  std::vector<ControlSource> rungs;
  for (const auto& folder : folders_)
    rungs.push_back({folder->step->rung.name(), folder->samples, folder->results.metrics});
  metrics::ControlReport report =
      control_report({"clean", own, results.metrics}, rungs, measure_options(run.settings));
  report.rungs = ladder.asked;
  report.left_out = ladder.left_out;
  return report;
}

}  // namespace snellen::run
