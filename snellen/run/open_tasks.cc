// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/open_tasks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "snellen/run/catalogue.h"
#include "snellen/run/open_model.h"
#include "snellen/run/task_folders.h"
#include "snellen/tasks/shared_settings.h"

namespace snellen::run {

namespace {

// A task that names itself may not take the name of another: metrics are told apart by it.
std::string free_name(const tasks::Task& task,
                      const Catalogue& catalogue,
                      const std::vector<OpenTask>& others) {
  std::string name = task.name();
  bool is_taken = std::any_of(
      others.begin(), others.end(), [&](const OpenTask& other) { return other.name == name; });
  for (const auto& entry : catalogue.tasks) is_taken = is_taken || entry->facts().name == name;
  if (!is_taken) return name;
  throw Error{ErrorCode::kUsage,
              fmt::format("the name '{}' is taken by another task", name),
              task.inputs().front().string(),
              "give the file another \"name\" in its first line"};
}

// How much the items of a task show and ask, as the first of every part tells.
store::TaskRecord::Shape shape_of(const OpenTask& open) {
  store::TaskRecord::Shape shape;
  uint64_t first = 0;
  for (const tasks::Part& part : open.parts) {
    const uint64_t position = std::exchange(first, first + part.num_items);
    if (part.num_items == 0) continue;
    Result<tasks::Item> item = open.task->item(position);
    if (!item) continue;
    shape.num_visuals = std::max(shape.num_visuals, item->visuals.size());
    shape.num_texts = std::max(shape.num_texts, item->texts.size());
    shape.num_scores = std::max(shape.num_scores, questions::pairs_of(item->questions).size());
  }
  return shape;
}

// Tasks that let models choose by scores ask language models in another way: the folder tells.
void set_choice(const Catalogue& catalogue,
                const RunSettings& settings,
                const tasks::TaskFacts& facts,
                config::Options& own) {
  constexpr const char* kChoice = "choose-by";
  const bool is_asked =
      settings.is_folder &&
      std::any_of(facts.settings.begin(), facts.settings.end(), [&](const config::Block& block) {
        return block.find(kChoice) != nullptr;
      });
  if (!is_asked || own.is_set(kChoice)) return;
  const inference::FolderRequest folder = folder_request(own, settings);
  bool is_likely = folder.driver.head == "likelihood";
  try {
    is_likely = is_likely || inference::describe_folder(
                                 catalogue.installation, folder.network, folder.driver.head)
                                     .kind == "language";
  } catch (const Error&) {
    return;  // opening the model says what is wrong with it
  }
  own.set(kChoice, is_likely ? "likelihood" : "similarity", "--model");
}

// A file that is not in the folder of the annotations: mostly the folder is another one.
Error missing_annotations(const Error& error, const tasks::TaskFacts& facts) {
  const bool has_advice = !error.hint().empty() && !error.hint().starts_with("check the path");
  return Error{error.code(),
               error.message(),
               error.where(),
               fmt::format("name the folder of the annotations with --data DIR, or register it "
                           "once with snellen data add {} DIR; docs/data.md says where they come "
                           "from and what builds them{}{}",
                           facts.name,
                           has_advice ? "; or " : "",
                           has_advice ? error.hint() : "")};
}

bool is_of_data_folder(const Error& error, const config::Options& own) {
  std::string data = own.get<tasks::SharedSettings>().data.string();
  if (!data.ends_with('/')) data += '/';  // ".." is not in "."
  const bool is_missing = error.message().starts_with("no annotation file here") ||
                          error.message().starts_with("cannot be opened: No such file");
  return error.code() == ErrorCode::kNotFound && is_missing && error.where().starts_with(data);
}

std::unique_ptr<tasks::Task> open_task(const tasks::TaskEntry& entry,
                                       const tasks::TaskRequest& request) {
  try {
    return entry.open(request);
  } catch (const Error& error) {
    if (entry.facts().takes_argument || !is_of_data_folder(error, request.options)) throw;
    throw missing_annotations(error, entry.facts());
  }
}

}  // namespace

std::vector<OpenTask> open_tasks(const Catalogue& catalogue,
                                 const config::Options& options,
                                 RunSettings& settings) {
  const bool can_answer = !settings.is_folder && catalogue.model(settings.model).facts().can_answer;
  std::vector<OpenTask> tasks;
  for (const NamedTask& named : named_tasks(settings.tasks)) {
    const tasks::TaskEntry& entry = catalogue.task(named.name);
    config::Options own = options_of_task(options, entry.facts(), catalogue);
    set_choice(catalogue, settings, entry.facts(), own);
    OpenTask open{.name = entry.facts().name,
                  .facts = &entry.facts(),
                  .task = open_task(entry,
                                    {.options = own,
                                     .model = settings.name,
                                     .is_compat = settings.is_compat,
                                     .can_answer = can_answer,
                                     .parts = named.parts,
                                     .argument = task_argument(named.name),
                                     .metrics = catalogue.metrics}),
                  .parts = {}};
    if (!open.task->name().empty()) {
      open.name = free_name(*open.task, catalogue, tasks);
      std::replace(settings.titles.begin(), settings.titles.end(), named.name, open.name);
    }
    open.parts = open.task->parts();
    tasks.push_back(std::move(open));
  }
  return tasks;
}

void expect_image_folders(const std::vector<OpenTask>& tasks) {
  for (const OpenTask& open : tasks) {
    uint64_t first = 0;
    for (const tasks::Part& part : open.parts) {
      const uint64_t position = std::exchange(first, first + part.num_items);
      if (part.num_items == 0) continue;
      const Result<tasks::Item> item = open.task->item(position);
      if (!item) continue;
      for (const questions::Visual& visual : item->visuals) {
        if (visual.drawn() != nullptr) continue;
        const Result<media::VisualPlace> place = visual.place();  // throws where none is named
        if (open.facts->images.empty() || !place) continue;
        const std::filesystem::path folder = place->path.parent_path();
        std::error_code ignored;
        if (folder.empty() || std::filesystem::is_directory(folder, ignored)) continue;
        throw Error{ErrorCode::kNotFound,
                    fmt::format("the image folder of {} is not there", open.name),
                    folder.string(),
                    fmt::format("name it with --images {}=DIR", open.facts->images)};
      }
    }
  }
}

std::vector<store::TaskRecord> task_records(const std::vector<OpenTask>& tasks) {
  std::vector<store::TaskRecord> records;
  for (const OpenTask& open : tasks) {
    store::TaskRecord record{
        .name = open.name, .parts = {}, .columns = {}, .shape = shape_of(open)};
    for (const tasks::Part& part : open.parts) record.parts.push_back({part.name, part.num_items});
    for (const tasks::Column& column : open.task->columns()) {
      record.columns.push_back({.name = column.name,
                                .is_share = column.is_share,
                                .higher_is_better = column.higher_is_better,
                                .chance = column.chance,
                                .has_breakdown = column.has_breakdown});
    }
    records.push_back(std::move(record));
  }
  return records;
}

}  // namespace snellen::run
