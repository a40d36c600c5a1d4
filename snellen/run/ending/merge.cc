// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/merge.h"

#include <algorithm>
#include <chrono>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/file_lock.h"
#include "snellen/base/files.h"
#include "snellen/base/folder_names.h"
#include "snellen/base/seconds_since.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/control/rung_folders.h"
#include "snellen/run/ending/ending.h"
#include "snellen/run/ending/run_files.h"
#include "snellen/run/ending/shown_pictures.h"
#include "snellen/run/engine/duplicates.h"
#include "snellen/run/keeping.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/stamp.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ShardRun {
  fs::path folder;
  Shard shard;
  Json stamp;
};

ShardRun open_shard(const fs::path& folder) {
  ShardRun run{folder, {}, store::read_stamp(store::RunPaths(folder))};
  run.shard = parse_shard(run.stamp.value("shard", "0/1"));
  std::string verdict = run.stamp.value("verdict", "");
  if (verdict != "complete" && verdict != "failures") {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("this shard is {}, not finished", verdict),
                folder.string(),
                "run its command again to resume it, then merge"};
  }
  return run;
}

std::vector<ShardRun> open_shards(const std::vector<fs::path>& folders) {
  std::vector<ShardRun> runs;
  std::set<uint64_t> seen;
  for (const fs::path& folder : folders) {
    runs.push_back(open_shard(folder));
    const ShardRun& run = runs.back();
    if (run.shard.count == 1) {
      throw Error{ErrorCode::kUsage,
                  "is a whole run, not a shard of one: there is nothing to merge",
                  folder.string(),
                  "give the folders of runs made with --shard"};
    }
    if (run.stamp["identity_sha256"] != runs.front().stamp["identity_sha256"] ||
        run.shard.count != runs.front().shard.count) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("is a shard of another run than {}", runs.front().folder.string()),
                  folder.string(),
                  "merge shards made with the same settings and files"};
    }
    if (!seen.insert(run.shard.index).second)
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("shard {} is given twice", run.shard.index),
                  folder.string()};
  }
  std::vector<uint64_t> missing;
  for (uint64_t index = 0; index < runs.front().shard.count; ++index) {
    if (!seen.contains(index)) missing.push_back(index);
  }
  if (!missing.empty()) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("of {} shards, {} missing", runs.front().shard.count, fmt::join(missing, ", ")),
        runs.front().folder.string(),
        "give all shard folders"};
  }
  return runs;
}

// Throws unless the rows of a shard are those that its stamp counted and hashed.
void expect_whole(const ShardRun& run, store::Samples& samples) {
  auto refuse = [&](const std::string& what) {
    throw Error{ErrorCode::kInvalidInput,
                what,
                store::RunPaths(run.folder).samples().string(),
                "the file was changed after the run; run this shard again with --overwrite"};
  };
  const Json counts = run.stamp.value("counts", Json::object());
  const std::vector<store::TaskRecord> records = samples.tasks();
  for (uint32_t task = 0; task < records.size(); ++task) {
    const Json count = counts.value(records[task].name, Json::object());
    const uint64_t wanted = count.value("total", uint64_t{0});
    const uint64_t found = samples.counts(task).total();
    if (found != wanted) {
      refuse(fmt::format(
          "holds {} rows of {}, its run.json counted {}", found, records[task].name, wanted));
    }
  }
  if (samples.digest() != run.stamp.value("samples_sha256", ""))
    refuse("its rows differ from the hash in its run.json");
}

// Throws unless the annotation files are those that the shards were scored with.
void expect_same_inputs(const ShardRun& run, const std::vector<OpenTask>& tasks) {
  const Json there = run.stamp.at("identity").value("tasks", Json::object());
  const std::string difference = first_difference(there, identity_of(tasks, input_hashes(tasks)));
  if (difference.empty()) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("its inputs changed since it was scored: {}", difference),
              run.folder.string(),
              "restore the annotation files, or run the shards again"};
}

// Rows held at once: shards take turns by position, so a window of positions has few of each.
constexpr uint64_t kWindow = 8192;

// Copies the samples of all shards in order of position, a window at a time.
void copy_samples(std::vector<store::Samples>& sources, store::Samples& target) {
  std::vector<store::TaskRecord> records = target.tasks();
  DuplicateGuard guard(records.size());
  std::vector<store::Sample> rows;
  for (uint32_t task = 0; task < records.size(); ++task) {
    uint64_t num_items = 0;
    for (const store::TaskRecord::Part& part : records[task].parts) num_items += part.num_items;
    for (uint64_t begin = 0; begin < num_items; begin += kWindow) {
      rows.clear();
      for (store::Samples& source : sources) {
        source.for_each_between(task, begin, begin + kWindow, [&](store::Sample& sample) {
          rows.push_back(std::move(sample));
        });
      }
      std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.position < b.position;
      });
      for (store::Sample& row : rows) guard.check(row);
      target.add(rows);
    }
  }
}

// Throws unless every item of the plan was copied.
void expect_all(const std::vector<OpenTask>& tasks, uint64_t limit, store::Samples& target) {
  for (uint32_t task = 0; task < tasks.size(); ++task) {
    uint64_t wanted = 0;
    for (const tasks::Part& part : tasks[task].parts)
      wanted += limit > 0 ? std::min(limit, part.num_items) : part.num_items;
    const uint64_t found = target.counts(task).total();
    if (found == wanted) continue;
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("the shards hold {} of {} items of {}", found, wanted, tasks[task].name),
        "",
        "run the shards again with --overwrite"};
  }
}

bool is_same_place(const fs::path& a, const fs::path& b) {
  std::error_code unknown;
  return fs::weakly_canonical(a, unknown) == fs::weakly_canonical(b, unknown);
}

// Throws when what stands at the target may not be replaced.
void check_target(const fs::path& target, const MergeRequest& request) {
  for (const fs::path& shard : request.shards) {
    if (is_same_place(shard, target)) {
      throw Error{ErrorCode::kUsage,
                  "the joined run would replace this folder, which is one of its shards",
                  target.string(),
                  "give another --output"};
    }
  }
  const store::RunPaths paths(target);
  if (!fs::exists(target) || fs::is_empty(target)) return;
  if (!fs::exists(paths.stamp()) && !fs::exists(paths.samples())) {
    throw Error{ErrorCode::kUsage,
                "the joined run goes here, but there are other files in this folder",
                target.string(),
                "give another --output"};
  }
  if (!request.overwrites) {
    throw Error{ErrorCode::kUsage,
                "the joined run goes here, but this folder holds a run already",
                target.string(),
                "give another --output, or throw that run away with --overwrite"};
  }
  if (const RunFiles files = files_of_run(target); !files.others.empty()) {
    throw Error{ErrorCode::kUsage,
                "the joined run replaces this folder, and no run wrote this file in it",
                (target / files.others.front()).string(),
                "move it away, or give another --output"};
  }
}

// A new folder beside the one it will become; removed with what is in it unless it was put in
// place. One process makes one at a time, so what killed ones left is removed first.
class DraftFolder {
 public:
  explicit DraftFolder(fs::path target)
      : target_(std::move(target)),
        lock_(target_.string() + ".merge-lock", "wait for it, or give another --output") {
    remove_half_written_in(target_.parent_path(), target_.filename().string());
    folder_ = half_written_path(target_);
    std::error_code refused;
    if (!fs::create_directory(folder_, refused)) {
      throw Error{ErrorCode::kNotFound,
                  "no folder can be made here",
                  target_.parent_path().string(),
                  "choose an --output folder that can be written"};
    }
  }
  ~DraftFolder() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  DraftFolder(const DraftFolder&) = delete;
  DraftFolder& operator=(const DraftFolder&) = delete;

  const fs::path& path() const { return folder_; }

  // A run that stands at the target gives way whole. What is no run's there has come since it was
  // checked, and stays beside the draft's name.
  void put_in_place() {
    std::error_code ignored;
    const bool is_free =
        !fs::exists(target_) || (!fs::is_symlink(target_) && fs::remove(target_, ignored));
    if (is_free) {
      rename_into_place(folder_, target_);
      folder_.clear();
      return;
    }
    const store::RunPaths replaced(folder_);
    {
      // Nobody may be writing there.
      store::RunLock lock{store::RunPaths(target_)};
      exchange_folders(target_, folder_);
    }
    folder_.clear();
    remove_run_files(replaced);
    fs::remove(replaced.lock(), ignored);
    fs::remove(replaced.folder, ignored);
  }

 private:
  fs::path target_;
  FileLock lock_;
  fs::path folder_;
};

// Opens the samples of the shards, or of one rung of each.
std::vector<store::Samples> open_sources(const std::vector<ShardRun>& runs,
                                         const RunSettings& settings,
                                         const fs::path& below) {
  std::vector<store::Samples> sources;
  sources.reserve(runs.size());
  for (const ShardRun& run : runs) {
    const ShardRun part = below.empty() ? run : open_shard(run.folder / below);
    sources.push_back(store::Samples::open_to_read(store::RunPaths(part.folder).samples()));
    sources.back().read_with(settings.num_threads);
    expect_whole(part, sources.back());
  }
  return sources;
}

// The rungs that the first shard has, as the run that is joined has them; what could not be applied
// is taken from the shards' control.json.
Ladder ladder_of_shards(const ShardRun& first,
                        const RunSettings& settings,
                        const std::vector<OpenTask>& tasks) {
  Ladder ladder{.tasks = tasks};
  if (settings.control.empty()) return ladder;
  for (const Rung& rung : rungs_of(settings.control)) {
    ladder.asked.push_back(rung.name());
    const fs::path folder = control_folder(first.folder) / rung.folder();
    if (!fs::exists(store::RunPaths(folder).samples())) continue;
    Ladder::Step step{rung};
    store::Samples samples = store::Samples::open_to_read(store::RunPaths(folder).samples());
    for (const store::TaskRecord& record : samples.tasks()) {
      for (const OpenTask& task : tasks) {
        if (task.name == record.name) step.tasks.push_back(task);
      }
    }
    ladder.rungs.push_back(std::move(step));
  }
  ladder.left_out = left_out_of(first.folder);
  return ladder;
}

// Joins the rungs into the draft of the run.
RungFolders join_rungs(const Ladder& ladder,
                       const std::vector<ShardRun>& runs,
                       const RunSettings& settings,
                       const store::RunPaths& draft,
                       const Json& stamp) {
  std::vector<std::unique_ptr<RungFolders::Folder>> folders;
  for (const Ladder::Step& step : ladder.rungs) {
    const fs::path below = fs::path("control") / step.rung.folder();
    std::vector<store::Samples> sources = open_sources(runs, settings, below);
    const store::RunPaths paths(draft.folder / below);
    fs::create_directories(paths.folder);
    folders.push_back(std::make_unique<RungFolders::Folder>(
        RungFolders::Folder{&step,
                            paths,
                            stamp_of_rung(stamp, step.rung),
                            store::Samples::open_to_write(paths.samples())}));
    store::Samples& target = folders.back()->samples;
    target.set_tasks(task_records(step.tasks));
    target.set_identity(facts_of(folders.back()->stamp["identity"], settings.shard));
    copy_samples(sources, target);
    expect_all(step.tasks, settings.limit, target);
  }
  return RungFolders(std::move(folders));
}

RunSummary merge_runs(const MergeRequest& request) {
  auto start = std::chrono::steady_clock::now();
  auto seconds = [start] { return seconds_since(start); };
  std::vector<ShardRun> runs = open_shards(request.shards);
  const ShardRun& first = runs.front();
  config::Options options = options_of(first.stamp, request.catalogue, first.folder.string());
  options.set("shard", "0/1", "merge");
  options.set("output", request.output.string(), "--output");
  RunSettings settings = settings_of(options, request.catalogue);
  std::vector<OpenTask> tasks = open_tasks(request.catalogue, options, settings);
  check_target(settings.folder(), request);
  expect_same_inputs(first, tasks);
  std::vector<store::Samples> sources = open_sources(runs, settings, {});
  const Ladder ladder = ladder_of_shards(first, settings, tasks);

  DraftFolder draft(settings.folder());
  const store::RunPaths paths(draft.path());
  Json stamp = begin_stamp(first.stamp.at("identity"), options, settings, request.command);
  stamp["input_paths"] = first.stamp.value("input_paths", Json::object());
  RunSummary summary;
  {
    store::RunLock lock(paths);
    store::Samples target = store::Samples::open_to_write(paths.samples());
    target.set_tasks(task_records(tasks));
    target.set_identity(facts_of(stamp["identity"], settings.shard));
    copy_samples(sources, target);
    expect_all(tasks, settings.limit, target);
    std::vector<std::filesystem::path> folders;
    for (const ShardRun& run : runs) folders.push_back(run.folder);
    if (const std::optional<KeptPictures> kept =
            join_pictures(folders, options.get<KeepingSettings>().picture_mb, paths, target))
      stamp["pictures"] = stamped_pictures(*kept);
    RungFolders rungs = join_rungs(ladder, runs, settings, paths, stamp);
    Ending ending{.paths = paths,
                  .tasks = tasks,
                  .settings = settings,
                  .command = request.command,
                  .seconds = seconds};
    rungs.end(ending, /*is_complete=*/true, /*looks=*/false, summary);
    if (!ladder.asked.empty()) {
      ending.more_files = [&](const store::Results& results) {
        summary.control = rungs.report(ladder, ending, target, results);
        return write_control(*summary.control, ending.run_name(), paths.folder);
      };
    }
    end_run(ending,
            std::move(stamp),
            /*is_complete=*/true,
            target,
            summary);
  }
  draft.put_in_place();
  summary.folder = settings.folder();
  expect_scored(summary);
  return summary;
}

}  // namespace

RunSummary merge_shards(const MergeRequest& request) {
  try {
    return merge_runs(request);
  } catch (const nlohmann::json::exception& error) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("the run.json of a shard is malformed: {}", error.what()),
                "",
                "restore it, or run that shard again with --overwrite"};
  }
}

}  // namespace snellen::run
