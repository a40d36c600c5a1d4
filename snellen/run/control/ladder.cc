// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/control/ladder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "snellen/run/control/rung_task.h"

namespace snellen::run {
namespace {

// What the items of a task show, as the first of every part tells.
struct TaskShows {
  bool visuals = false;
  bool clips = false;
};

TaskShows shown_by(const OpenTask& open) {
  TaskShows shows;
  uint64_t first = 0;
  for (const tasks::Part& part : open.parts) {
    const uint64_t position = std::exchange(first, first + part.num_items);
    if (part.num_items == 0) continue;
    const Result<tasks::Item> item = open.task->item(position);
    if (!item) continue;
    shows.visuals = shows.visuals || !item->visuals.empty();
    for (const questions::Visual& visual : item->visuals) {
      const auto* place = std::get_if<media::VisualPlace>(&visual.source);
      shows.clips = shows.clips || (place != nullptr && place->clip);
    }
  }
  return shows;
}

// Why the control cannot be applied; empty where it can.
std::string obstacle(const Rung& rung, const OpenTask& task, const models::Model& model) {
  const TaskShows shows = shown_by(task);
  if (!shows.visuals) return "its items show no picture";
  switch (rung.corruption.facts().shows) {
    case media::Shows::kNothing:
      return model.takes_no_picture() ? "" : "this model cannot be asked without a picture";
    case media::Shows::kFrames:
      if (!shows.clips && model.looks()) return "its items show pictures, which have no frames";
      if (rung.name() == "oneframe" && model.fixed_frames())
        return fmt::format("this model takes clips of {} frames, no others", *model.fixed_frames());
      return "";
    case media::Shows::kPixels:
    case media::Shows::kOtherPicture:
      break;
  }
  return "";
}

Error fixed_answers() {
  return {ErrorCode::kUsage,
          "the answers of this model were made before: other pictures cannot change them",
          "--control",
          "run a checkpoint folder, exec:COMMAND or an endpoint with --control"};
}

}  // namespace

Ladder ladder_of(const std::vector<OpenTask>& tasks,
                 const RunSettings& settings,
                 const models::Model& model) {
  Ladder ladder{.tasks = tasks};
  for (uint32_t task = 0; task < tasks.size(); ++task) ladder.places.push_back({0, task});
  const std::vector<Rung> rungs = rungs_of(settings.control);
  if (!rungs.empty() && model.has_fixed_answers()) throw fixed_answers();
  for (const Rung& rung : rungs) {
    ladder.asked.push_back(rung.name());
    Ladder::Step step{rung};
    for (uint32_t number = 0; number < tasks.size(); ++number) {
      const OpenTask& task = tasks[number];
      std::string reason = obstacle(rung, task, model);
      std::optional<OtherPictures> others;
      const bool shows_others = rung.corruption.facts().shows == media::Shows::kOtherPicture;
      if (reason.empty() && shows_others) {
        Result<OtherPictures> found =
            OtherPictures::of({.task = task,
                               .limit = settings.limit,
                               .seed = settings.seed,
                               .in_category = rung.name() == "mismatch-in-category"});
        if (found) {
          others = std::move(found).value();
        } else {
          reason = found.error().message();
        }
      }
      if (!reason.empty()) {
        ladder.left_out.push_back({rung.name(), task.name, reason});
        continue;
      }
      OpenTask changed = task;
      changed.task = under_control(task.task, rung, settings.seed, std::move(others));
      step.tasks.push_back(changed);
      changed.made_from = number;
      changed.comes_last = shows_others;
      changed.lane = static_cast<uint32_t>(ladder.rungs.size() + 1);
      ladder.tasks.push_back(std::move(changed));
      ladder.places.push_back(
          {ladder.rungs.size() + 1, static_cast<uint32_t>(step.tasks.size() - 1)});
    }
    if (!step.tasks.empty()) ladder.rungs.push_back(std::move(step));
  }
  return ladder;
}

void LadderSamples::add(std::vector<store::Sample>& rows) {
  if (folders_.size() == 1) return folders_.front()->add(rows);
  std::vector<std::vector<store::Sample>> parted(folders_.size());
  for (store::Sample& row : rows) {
    const Ladder::Place& place = places_[row.task];
    parted[place.folder].push_back(std::move(row));
    parted[place.folder].back().task = place.task;
  }
  for (size_t folder = 0; folder < folders_.size(); ++folder) {
    if (!parted[folder].empty()) folders_[folder]->add(parted[folder]);
  }
}

}  // namespace snellen::run
