// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/merge.h"

#include <chrono>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/run/closing.h"
#include "snellen/run/duplicates.h"
#include "snellen/run/stamp.h"
#include "snellen/run/task_record.h"

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
        source.for_each_between(task, begin, begin + kWindow, [&](const store::Sample& sample) {
          rows.push_back(sample);
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

}  // namespace

RunSummary merge_shards(const std::vector<fs::path>& shards,
                        const fs::path& output,
                        const Catalogue& catalogue,
                        const std::string& command) {
  auto start = std::chrono::steady_clock::now();
  auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  std::vector<ShardRun> runs = open_shards(shards);
  config::Options options(run_options(catalogue));
  for (const auto& [name, value] : runs.front().stamp.at("settings").items())
    options.set(name, value.get<std::string>(), runs.front().folder.string());
  options.set("shard", "0/1", "merge");
  options.set("output", output.string(), "--output");
  RunSettings settings = settings_of(options, catalogue);
  std::vector<OpenTask> tasks = open_tasks(catalogue, options, settings);

  RunSummary summary;
  summary.folder = settings.folder();
  store::RunPaths paths(summary.folder);
  store::RunLock lock(paths);
  Json stamp = begin_stamp(runs.front().stamp.at("identity"), options, settings, command);
  stamp["input_paths"] = runs.front().stamp.value("input_paths", Json::object());
  fs::remove(paths.samples());
  store::Samples target = store::Samples::open_to_write(paths.samples());
  store::write_stamp(paths, stamp);
  target.set_tasks(task_records(tasks));
  std::vector<store::Samples> sources;
  sources.reserve(runs.size());
  for (const ShardRun& run : runs)
    sources.push_back(store::Samples::open_to_read(store::RunPaths(run.folder).samples()));
  copy_samples(sources, target);

  close_run({paths, tasks, settings, command, seconds}, std::move(stamp), true, target, summary);
  return summary;
}

}  // namespace snellen::run
