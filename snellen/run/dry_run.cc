// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/dry_run.h"

#include <algorithm>
#include <optional>

#include "snellen/models/checkpoint/weight_files.h"
#include "snellen/run/asks.h"
#include "snellen/run/dump.h"
#include "snellen/run/network/ask_plan.h"
#include "snellen/run/task_record.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMissingShown = 10;

// What the guesses rest on. A token of a picture or text costs two operations a weight; half of the
// weights see the pictures, half the texts, as in a dual encoder.
constexpr double kTokensAPicture = 197;
constexpr double kTokensAText = 16;
constexpr double kOperationsACpuThread = 4e10;
constexpr double kOperationsAGpu = 1e14;
constexpr double kSecondsADecode = 0.005;  // a 640 x 480 JPEG, one thread
constexpr uint64_t kBytesAThread = uint64_t{48} << 20;
constexpr uint64_t kBytesAnId = 64;

struct ModelSize {
  uint64_t num_weights = 0;
  uint64_t num_bytes = 0;
};

// Nothing for models that are no folders.
std::optional<ModelSize> size_of(const RunSettings& settings) {
  if (!settings.is_folder) return std::nullopt;
  models::WeightFiles weights(settings.model);
  ModelSize size;
  for (const std::string& name : weights.names()) {
    size.num_weights += static_cast<uint64_t>(weights.find(name)->num_elements());
  }
  for (const fs::path& file : weights.files()) size.num_bytes += fs::file_size(file);
  return size;
}

// A task may throw where a run with it could not look at pictures (no folder named). Here that is
// one more reason why a file cannot be placed.
models::AskSource with_quiet_places(const models::AskSource& asks) {
  return [&asks](const std::function<void(const models::Ask&)>& visit) {
    asks([&](const models::Ask& ask) {
      models::Ask quiet = ask;
      quiet.locate = [&ask](std::string_view visual) -> Result<media::VisualPlace> {
        try {
          return ask.locate(visual);
        } catch (const Error& error) {
          return error;
        }
      };
      visit(quiet);
    });
  };
}

PlannedTask planned_task(const std::vector<OpenTask>& tasks, uint32_t number, const Plan& plan) {
  PlannedTask planned;
  planned.name = tasks[number].name;
  for (uint64_t index = 0; index < plan.size(); ++index) {
    PlannedItem one = plan[index];
    if (one.task != number) continue;
    ++planned.num_items;
    Result<tasks::Item> item = tasks[number].task->item(one.position);
    if (item) continue;
    if (planned.num_bad++ == 0) planned.first_bad = item.error().what();
  }
  models::AskSource asks =
      asks_of(tasks, {plan.size(), [&plan, number](uint64_t index) {
                        const PlannedItem one = plan[index];
                        return one.task == number ? std::optional(one) : std::nullopt;
                      }});
  AskPlan distinct(with_quiet_places(asks), {});
  planned.num_scores = distinct.num_cells();
  planned.num_visuals = distinct.num_visuals();
  planned.num_texts = distinct.num_texts();
  return planned;
}

void look_for_files(const AskPlan& distinct, DryRun& dry) {
  for (uint32_t id = 0; id < distinct.num_visuals(); ++id) {
    const Result<media::VisualPlace>& place = distinct.visual(id);
    std::error_code ignored;
    if (place && fs::is_regular_file(place->path, ignored)) continue;
    ++dry.num_missing;
    if (dry.missing.size() < kMissingShown)
      dry.missing.push_back(place ? place->path.string() : place.error().what());
  }
}

std::vector<PlannedWork> work_of(const AskPlan& distinct,
                                 const RunSettings& settings,
                                 const std::optional<ModelSize>& size,
                                 bool is_on_gpu) {
  uint64_t cells = distinct.num_cells();
  uint64_t visuals = distinct.num_visuals();
  uint64_t texts = distinct.num_texts();
  std::vector<PlannedWork> all = {
      {.kind = "dual encoder", .visuals = visuals, .texts = texts, .one_by_one = 2 * cells},
      {.kind = "fusion",
       .visuals = visuals,
       .pairs = distinct.num_pairs(),
       .one_by_one = 2 * cells},
      {.kind = "language", .texts = texts, .one_by_one = cells}};
  if (!size) return all;
  double rate = is_on_gpu ? kOperationsAGpu : settings.num_threads * kOperationsACpuThread;
  double half = static_cast<double>(size->num_weights);  // two operations for half of the weights
  for (PlannedWork& work : all) {
    double tokens = static_cast<double>(work.visuals) * kTokensAPicture +
                    static_cast<double>(work.texts + work.pairs) * kTokensAText +
                    static_cast<double>(work.pairs) * kTokensAPicture;
    work.seconds = tokens * half / rate;
  }
  return all;
}

}  // namespace

DryRun plan_run(const Catalogue& catalogue, const config::Options& options) {
  RunSettings settings = settings_of(options, catalogue);
  std::vector<OpenTask> tasks = open_tasks(catalogue, options, settings);
  check_dumps(options, tasks);
  Plan plan(tasks, settings.limit);
  DryRun dry;
  for (uint32_t task = 0; task < tasks.size(); ++task)
    dry.tasks.push_back(planned_task(tasks, task, plan));
  models::AskSource asks =
      asks_of(tasks, {plan.size(), [&plan](uint64_t index) { return std::optional(plan[index]); }});
  AskPlan distinct(with_quiet_places(asks), {.has_visuals = true, .has_pairs = true});
  dry.num_visuals = distinct.num_visuals();
  dry.num_texts = distinct.num_texts();
  look_for_files(distinct, dry);
  std::optional<ModelSize> size = size_of(settings);
  dry.work = work_of(distinct, settings, size, options.text("device") != "cpu");
  dry.decode_seconds =
      static_cast<double>(dry.num_visuals) * kSecondsADecode / settings.num_threads;
  uint64_t text_bytes = 0;
  for (uint32_t id = 0; id < distinct.num_texts(); ++id) text_bytes += distinct.text(id).size();
  dry.memory_bytes = (size ? size->num_bytes + settings.num_threads * kBytesAThread : 0) +
                     text_bytes + (dry.num_visuals + dry.num_texts) * kBytesAnId +
                     distinct.num_pairs() * sizeof(uint32_t);
  write_items_of(options, settings, tasks);
  return dry;
}

}  // namespace snellen::run
