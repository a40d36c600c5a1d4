// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/dry_run.h"

#include <algorithm>
#include <optional>
#include <set>

#include "snellen/inference/table.h"
#include "snellen/models/checkpoint/weight_files.h"
#include "snellen/run/catalogue.h"
#include "snellen/run/control/ladder.h"
#include "snellen/run/ending/dump.h"
#include "snellen/run/open_model.h"
#include "snellen/run/open_tasks.h"
#include "snellen/run/scoring.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMissingShown = 10;

// What the guesses rest on. A token of a picture or text costs two operations a weight; half of the
// weights see the pictures, half the texts, as in a dual encoder.
constexpr double kTokensPerImage = 197;  // unless the folder says
constexpr double kTokensPerText = 16;
constexpr size_t kFramesPerClip = 8;
constexpr double kOperationsPerCpuThread = 4e10;
constexpr double kOperationsPerGpu = 1e14;
constexpr double kSecondsPerDecode = 0.005;  // a 640 x 480 JPEG, one thread
constexpr uint64_t kBytesOfTorch = uint64_t{250} << 20;
constexpr uint64_t kBytesPerThread = uint64_t{48} << 20;
constexpr uint64_t kBytesPerId = 64;

struct PlannedModel {
  uint64_t num_weights = 0;
  uint64_t num_bytes = 0;             // in memory
  inference::FolderFacts facts = {};  // kind is empty where it is not known
};

// Nothing for models that are no folders.
std::optional<PlannedModel> model_of(const Catalogue& catalogue,
                                     const RunSettings& settings,
                                     const config::Options& options) {
  if (!settings.is_folder) return std::nullopt;
  const models::WeightFiles weights(
      inference::folder_of_model(catalogue.installation, settings.model));
  PlannedModel model;
  for (const std::string& name : weights.names())
    model.num_weights += static_cast<uint64_t>(weights.find(name)->num_elements());
  const std::string& dtype = options.get<CheckpointSettings>().dtype;
  const bool is_half = dtype == "bf16" || dtype == "fp16";
  model.num_bytes = model.num_weights * (is_half ? 2 : 4);
  if (!catalogue.installation.module.empty())
    model.facts = inference::describe_folder(catalogue.installation,
                                             folder_request(options, settings).network,
                                             options.get<CheckpointSettings>().head);
  return model;
}

// Programs are shown pictures too, unless they say otherwise when they start.
bool looks_at_files(const RunSettings& settings, const std::optional<PlannedModel>& model) {
  return model ? model->facts.looks
               : settings.model.starts_with("exec:") || settings.model.starts_with("openai:");
}

// The items of this shard: by task and position in the plan.
std::vector<PlannedItem> items_of(const std::vector<OpenTask>& tasks, const RunSettings& settings) {
  const Plan plan(tasks, settings.limit);
  std::vector<PlannedItem> items;
  for (uint64_t index = 0; index < plan.size(); ++index) {
    const PlannedItem one = plan[index];
    if (settings.shard.count > 1) {
      const Result<tasks::Item> item = tasks[one.task].task->item(one.position);
      if (!is_of_shard(settings.shard, item ? &*item : nullptr, one.position)) continue;
    }
    items.push_back(one);
  }
  return items;
}

PlannedTask planned_task(const std::vector<OpenTask>& tasks,
                         uint32_t number,
                         const std::vector<PlannedItem>& items) {
  PlannedTask planned;
  planned.name = tasks[number].name;
  for (const PlannedItem& one : items) {
    if (one.task != number) continue;
    ++planned.num_items;
    Result<tasks::Item> item = tasks[number].task->item(one.position);
    if (item) continue;
    if (planned.num_bad++ == 0) planned.first_bad = item.error().what();
  }
  inference::Table distinct({.forgives_places = true});
  plan_items({items.size(),
              [&items, number](uint64_t index) {
                const PlannedItem one = items[index];
                return one.task == number ? std::optional(one) : std::nullopt;
              }},
             tasks,
             distinct,
             {});
  planned.num_scores = distinct.num_scores();
  planned.num_visuals = distinct.num_visuals();
  planned.num_texts = distinct.num_texts();
  return planned;
}

// A file that several visuals show counts once, and so does a folder that is not named.
void look_for_files(const inference::Table& distinct, DryRun& dry) {
  std::set<std::string> missing;
  for (uint32_t id = 0; id < distinct.num_visuals(); ++id) {
    const Result<media::VisualPlace>& place = distinct.place(id);
    std::error_code ignored;
    if (place && fs::is_regular_file(place->path, ignored)) continue;
    ++dry.num_without_file;
    const bool is_new =
        missing.insert(place ? place->path.string() : place.error().message()).second;
    if (is_new && dry.missing.size() < kMissingShown)
      dry.missing.push_back(place ? place->path.string() : place.error().what());
  }
  dry.num_missing = missing.size();
}

// Pictures, and of clips as many frames as are shown.
uint64_t num_pictures(const inference::Table& distinct) {
  uint64_t count = 0;
  for (uint32_t id = 0; id < distinct.num_visuals(); ++id) {
    const Result<media::VisualPlace>& place = distinct.place(id);
    if (!place || !place->clip) {
      ++count;
    } else if (!place->frames.empty()) {
      count += place->frames.size();
    } else {
      const bool says = place->sampler && place->sampler->num_frames > 0;
      count += says ? static_cast<uint64_t>(place->sampler->num_frames) : kFramesPerClip;
    }
  }
  return count;
}

std::vector<PlannedWork> work_of(const inference::Table& distinct,
                                 const RunSettings& settings,
                                 const std::optional<PlannedModel>& model,
                                 bool is_on_gpu) {
  uint64_t cells = distinct.num_scores();
  uint64_t visuals = distinct.num_visuals();
  uint64_t texts = distinct.num_texts();
  std::vector<PlannedWork> all = {
      {.kind = "dual encoder", .visuals = visuals, .texts = texts, .one_by_one = 2 * cells},
      {.kind = "fusion",
       .visuals = visuals,
       .pairs = distinct.num_pairs(),
       .one_by_one = 2 * cells},
      {.kind = "language", .texts = texts, .one_by_one = cells}};
  if (!model) return all;
  const double frames_per_visual =
      visuals > 0 ? static_cast<double>(num_pictures(distinct)) / static_cast<double>(visuals) : 1;
  const double tokens_per_visual =
      frames_per_visual * (model->facts.tokens_per_picture > 0
                               ? static_cast<double>(model->facts.tokens_per_picture)
                               : kTokensPerImage);
  double rate = is_on_gpu ? kOperationsPerGpu : settings.num_threads * kOperationsPerCpuThread;
  double half = static_cast<double>(model->num_weights);  // two operations for half of them
  for (PlannedWork& work : all) {
    double tokens = static_cast<double>(work.visuals) * tokens_per_visual +
                    static_cast<double>(work.texts + work.pairs) * kTokensPerText +
                    static_cast<double>(work.pairs) * tokens_per_visual;
    work.seconds = tokens * half / rate;
  }
  const std::string& kind = model->facts.kind;
  if (!kind.empty()) std::erase_if(all, [&](const PlannedWork& work) { return work.kind != kind; });
  return all;
}

// Stands for the model that is not opened: it is shown what most models of its kind take.
class PlannedLook final : public models::Model {
 public:
  explicit PlannedLook(bool looks) : looks_(looks) {}
  std::vector<Identity> identity() const override { return {}; }
  bool looks() const override { return looks_; }
  Result<questions::Scores> score(const models::Ask&) const override {
    return Error{ErrorCode::kInternal, "nothing is scored in a dry run"};
  }

 private:
  bool looks_;
};

// The tasks and, for --control, what the rungs make of them.
std::vector<OpenTask> with_controls(const std::vector<OpenTask>& tasks,
                                    const RunSettings& settings,
                                    bool looks) {
  Ladder ladder = ladder_of(tasks, settings, PlannedLook(looks));
  for (size_t i = tasks.size(); i < ladder.tasks.size(); ++i)
    ladder.tasks[i].name += " under " + ladder.rungs[ladder.places[i].folder - 1].rung.name();
  return std::move(ladder.tasks);
}

}  // namespace

DryRun plan_run(const Catalogue& catalogue, const config::Options& options) {
  RunSettings settings = settings_of(options, catalogue);
  const std::vector<OpenTask> own_tasks = open_tasks(catalogue, options, settings);
  check_dumps(options, own_tasks);
  const std::optional<PlannedModel> model = model_of(catalogue, settings, options);
  const std::vector<OpenTask> tasks =
      with_controls(own_tasks, settings, looks_at_files(settings, model));
  const std::vector<PlannedItem> items = items_of(tasks, settings);
  DryRun dry;
  for (uint32_t task = 0; task < tasks.size(); ++task)
    dry.tasks.push_back(planned_task(tasks, task, items));
  inference::Table distinct({.has_pairs = true, .forgives_places = true});
  plan_items({items.size(), [&items](uint64_t index) { return std::optional(items[index]); }},
             tasks,
             distinct,
             {});
  distinct.finish();
  dry.num_visuals = distinct.num_visuals();
  dry.num_texts = distinct.num_texts();
  look_for_files(distinct, dry);
  dry.needs_files = looks_at_files(settings, model);
  dry.work = work_of(distinct, settings, model, options.get<CheckpointSettings>().device != "cpu");
  if (dry.needs_files)
    dry.decode_seconds =
        static_cast<double>(num_pictures(distinct)) * kSecondsPerDecode / settings.num_threads;
  uint64_t text_bytes = 0;
  for (uint32_t id = 0; id < distinct.num_texts(); ++id) text_bytes += distinct.text(id).size();
  const uint64_t network_bytes =
      model ? kBytesOfTorch + model->num_bytes + settings.num_threads * kBytesPerThread : 0;
  dry.memory_bytes = network_bytes + text_bytes + (dry.num_visuals + dry.num_texts) * kBytesPerId +
                     distinct.num_pairs() * sizeof(uint32_t);
  write_items_of(options, settings, own_tasks);
  return dry;
}

}  // namespace snellen::run
