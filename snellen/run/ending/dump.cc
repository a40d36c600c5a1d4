// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/dump.h"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/json_object.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

// Where the file of a task or part goes.
class DumpPlace {
 public:
  DumpPlace(const std::string& flag, bool has_many)
      : path_(flag), is_folder_(has_many || flag.ends_with("/") || is_folder(flag)) {}

  fs::path file(const std::string& task, const std::string& part) const {
    if (!is_folder_) return path_;
    return path_ / (part.empty() ? task + ".jsonl" : fmt::format("{}-{}.jsonl", task, part));
  }

 private:
  fs::path path_;
  bool is_folder_;
};

// Parts with a score file each; one nameless part where all share one.
std::vector<std::string> score_files(const OpenTask& task) {
  if (!task.task->has_score_file_per_part()) return {""};
  std::vector<std::string> names;
  for (const tasks::Part& part : task.parts) names.push_back(part.name);
  return names;
}

bool has_many_files(const std::vector<OpenTask>& tasks, bool are_scores) {
  size_t count = 0;
  for (const OpenTask& task : tasks) count += are_scores ? score_files(task).size() : 1;
  return count > 1;
}

void write_scores(const OpenTask& task,
                  uint32_t number,
                  const DumpPlace& place,
                  store::Samples& samples) {
  bool is_by_part = task.task->has_score_file_per_part();
  std::vector<std::string> names = score_files(task);
  for (uint32_t part = 0; part < names.size(); ++part) {
    AtomicFile file(place.file(task.name, names[part]));
    samples.for_each(number,
                     is_by_part ? std::optional<uint32_t>(part) : std::nullopt,
                     [&](const store::Sample& sample) {
                       if (sample.status != store::SampleStatus::kScored) return;
                       Result<tasks::Item> item = task.task->item(sample.position);
                       if (!item) return;
                       file.write(task.task->score_line(*item, sample.scores).value() + "\n");
                     });
    file.commit();
  }
}

std::vector<std::array<uint32_t, 2>> rows_of(const std::vector<questions::Pair>& pairs) {
  std::vector<std::array<uint32_t, 2>> rows;
  for (const questions::Pair& pair : pairs) rows.push_back({pair.visual, pair.text});
  return rows;
}

std::vector<std::string> names_of(const auto& things, const auto& name) {
  std::vector<std::string> names;
  for (const auto& thing : things) names.push_back(std::invoke(name, thing));
  return names;
}

void write_items(const OpenTask& task, const RunSettings& settings, const fs::path& path) {
  AtomicFile file(path);
  const JsonText head =
      json_object({{"schema", 1}, {"name", task.name + "-items"}, {"metric", task.facts->metric}});
  file.write(head.text + "\n");
  uint64_t begin = 0;
  for (const tasks::Part& part : task.parts) {
    uint64_t count = settings.limit > 0 ? std::min(settings.limit, part.num_items) : part.num_items;
    for (uint64_t position = begin; position < begin + count; ++position) {
      Result<tasks::Item> item = task.task->item(position);
      if (item) file.write(item_line(*item, part.name) + "\n");
    }
    begin += part.num_items;
  }
  file.commit();
}

}  // namespace

std::string item_line(const tasks::Item& item, const std::string& part) {
  JsonObject json = {{"id", item.id}};
  auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) json.add({{key, value}});
  };
  add("part", part);
  if (item.clusters.size() == 1) add("group", item.clusters.front());
  if (item.clusters.size() == 2) json.add({{"group", item.clusters}});
  add("category", item.category);
  json.add({{"visuals", names_of(item.visuals, &questions::Visual::name)},
            {"texts", names_of(item.texts, &questions::Text::prompt)},
            {"cells", rows_of(questions::pairs_of(item.questions))},
            {"right", rows_of(item.right)}});
  return json.as_utf8().text;
}

void check_dumps(const config::Options& options, const std::vector<OpenTask>& tasks) {
  for (const OpenTask& task : tasks) {
    const tasks::TaskFacts& facts = *task.facts;
    if (!options.get<RunSettings>().dump_scores.empty() && facts.reads_results) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("{} reads results and has no score files", facts.name),
                  "--dump-scores",
                  "its run folder holds what `score` reads, where a model was asked"};
    }
    if (!options.get<RunSettings>().export_items.empty() && facts.metric.empty()) {
      throw Error{ErrorCode::kUsage,
                  fmt::format("{} judges its items by rules of its own", facts.name),
                  "--export-items",
                  "tasks that one metric judges can be exported: probe-c"};
    }
  }
}

void write_dumps(const config::Options& options,
                 const RunSettings& settings,
                 const std::vector<OpenTask>& tasks,
                 store::Samples& samples) {
  check_dumps(options, tasks);
  if (const std::string& scores = options.get<RunSettings>().dump_scores; !scores.empty()) {
    DumpPlace place(scores, has_many_files(tasks, /*are_scores=*/true));
    for (uint32_t task = 0; task < tasks.size(); ++task)
      write_scores(tasks[task], task, place, samples);
  }
  write_items_of(options, settings, tasks);
}

void write_items_of(const config::Options& options,
                    const RunSettings& settings,
                    const std::vector<OpenTask>& tasks) {
  const std::string& items = options.get<RunSettings>().export_items;
  if (items.empty()) return;
  DumpPlace place(items, has_many_files(tasks, /*are_scores=*/false));
  for (const OpenTask& task : tasks) write_items(task, settings, place.file(task.name, ""));
}

}  // namespace snellen::run
