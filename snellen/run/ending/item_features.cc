// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/item_features.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/formats/npy.h"
#include "snellen/models/observed.h"
#include "snellen/run/scoring.h"
#include "snellen/tasks/mapped_features.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using models::Features;

struct MappedItem {
  uint32_t task = 0;
  tasks::Item item;
  tasks::MappedQuestion mapped;

  models::Ask ask() const {
    models::Ask ask = ask_of(task, item);
    ask.questions = {&mapped.question, 1};
    return ask;
  }
};

// Some of the task's items, evenly spread.
std::vector<MappedItem> mapped_items(const FeatureRequest& request,
                                     const tasks::MapsFeatures& maps,
                                     uint32_t task) {
  const Plan plan(request.tasks, request.settings.limit);
  std::vector<MappedItem> items;
  uint64_t count = 0, first = plan.size();
  for (uint64_t index = 0; index < plan.size(); ++index) {
    if (plan[index].task != task) continue;
    first = std::min(first, index);
    ++count;
  }
  const uint64_t wanted = std::min(count, request.num_items);
  for (uint64_t i = 0; i < wanted; ++i) {
    const PlannedItem planned = plan[first + i * count / wanted];
    Result<tasks::Item> item = request.tasks[task].task->item(planned.position);
    if (!item) continue;
    tasks::MappedQuestion mapped = maps.mapped(*item);
    items.push_back({task, std::move(item).value(), std::move(mapped)});
  }
  return items;
}

struct Collected {
  std::vector<std::string> items;
  std::vector<std::string> kinds;
  std::vector<float> values;
  size_t width = 0;
  bool is_joint = false;
};

// An item that failed, or whose rows have another shape, is left out.
void collect(const MappedItem& one, const Features& features, Collected& all) {
  if (features.rows.empty() || features.rows.front().empty()) return;
  if (all.width == 0) {
    all.width = features.rows.front().size();
    all.is_joint = features.is_joint;
    if (!features.is_joint) all.kinds.emplace_back("picture");
    for (const std::string& name : one.mapped.names)
      all.kinds.push_back(features.is_joint ? "picture with " + name : name);
  }
  if (features.rows.size() != all.kinds.size() || features.is_joint != all.is_joint) return;
  const bool fits = std::all_of(features.rows.begin(), features.rows.end(), [&](const auto& row) {
    return row.size() == all.width;
  });
  if (!fits) return;
  all.items.push_back(one.item.id);
  for (const std::vector<float>& row : features.rows)
    all.values.insert(all.values.end(), row.begin(), row.end());
}

// A run that was scored in one go has all rows; one that went on looks again at what it lacks.
void expect_all(const FeatureRequest& request,
                const models::Observed& observed,
                const std::vector<MappedItem>& items) {
  const auto is_known = [&](const MappedItem& one) { return observed.knows(one.ask()); };
  if (std::all_of(items.begin(), items.end(), is_known)) return;
  if (models::AskPlan* plan = request.model.plan()) {
    for (const MappedItem& one : items) plan->add(one.ask());
  }
  request.model.begin(request.is_stopped);
}

// True unless it was stopped.
bool ask_all(const FeatureRequest& request,
             const models::Observed& observed,
             const std::vector<MappedItem>& items,
             Collected& all) {
  expect_all(request, observed, items);
  size_t at = 0;
  try {
    ordered_pipeline<Result<Features>>(
        items.size(),
        request.settings.num_threads,
        [&](uint64_t i) { return observed.features(items[i].ask()); },
        [&](Result<Features>&& made) {
          if (made) collect(items[at], *made, all);
          request.on_progress(++at, items.size());
        },
        [&] { return request.is_stopped && request.is_stopped(); });
  } catch (const models::Stopped&) {
    return false;
  }
  return at == items.size();
}

}  // namespace

bool write_features(const FeatureRequest& request) {
  const auto* observed = dynamic_cast<const models::Observed*>(&request.model);
  if (request.num_items == 0 || request.settings.shard.count > 1 || !observed ||
      !observed->has_features())
    return true;
  const fs::path folder = request.paths.folder / "features";
  for (uint32_t task = 0; task < request.tasks.size(); ++task) {
    const auto* maps = dynamic_cast<const tasks::MapsFeatures*>(request.tasks[task].task.get());
    if (!maps) continue;
    const fs::path stem = folder / request.tasks[task].name;
    const fs::path facts = fs::path(stem) += ".json", rows = fs::path(stem) += ".npy";
    if (fs::exists(facts)) continue;
    const std::vector<MappedItem> items = mapped_items(request, *maps, task);
    if (items.empty()) continue;
    Collected all;
    if (!ask_all(request, *observed, items, all)) return false;
    if (all.items.empty()) continue;
    fs::create_directories(folder);
    formats::write_npy(
        rows, std::span<const float>(all.values), all.values.size() / all.width, all.width);
    // Last: who finds it finds the rows.
    write_text_file(facts,
                    store::json_text(nlohmann::ordered_json{
                        {"kinds", all.kinds}, {"is_joint", all.is_joint}, {"items", all.items}}) +
                        "\n");
  }
  return true;
}

}  // namespace snellen::run
