// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/asked_items.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/tasks/vilma/sources.h"

namespace snellen::tasks::vilma {
namespace {

namespace fs = std::filesystem;
using annotations::VilmaItem;

// The `sec` and `pts` files of counting hold the same items.
bool is_in_frames(const fs::path& file) {
  return file.stem().string().ends_with("-pts");
}

// Of the folder, else of its `vilma` folder.
std::vector<fs::path> json_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const fs::path& place : {folder, folder / "vilma"}) {
    for (const auto& entry : fs::directory_iterator(place, ignored)) {
      const bool is_published = annotations::vilma_place_of(entry.path(), {}).has_value();
      if (is_published && entry.path().extension() == ".json") files.push_back(entry.path());
    }
    if (!files.empty()) break;
  }
  std::sort(files.begin(), files.end());
  return files;
}

// How many frames a clip has; nothing when it cannot be read, which then is the item's own failure.
int64_t frames_in(const media::VisualPlace& place, bool is_compat) {
  int64_t count = 0;
  auto first_only = [&](std::span<const double> seconds) {
    count = static_cast<int64_t>(seconds.size());
    return media::FrameIndices{0};
  };
  const auto clip =
      media::read_clip(place.path, *place.clip, first_only, {.is_compat = is_compat, .limits = {}});
  return clip ? count : 0;
}

}  // namespace

AskedFile::AskedFile(const fs::path& path, const Selection& selection, bool only_valid)
    : path_(path),
      items_(std::make_unique<annotations::VilmaAnnotations>(std::span<const fs::path>(&path, 1))) {
  for (size_t i = 0; i < items_->size(); ++i) {
    const VilmaItem item = items_->item(i).value();
    if (i == 0)
      place_ = annotations::vilma_place_of(path, item).value_or(annotations::VilmaPlace{});
    const auto passes = annotations::is_evaluated(item, selection.filter);
    if (!passes) throw passes.error().within(items_->where(i));
    const bool is_degenerate = annotations::defect_of(item) != annotations::VilmaDefect::kNone;
    if (is_degenerate && *passes) degenerate_.push_back(item.id);
    const bool is_measured = *passes && !(is_degenerate && selection.drop_degenerate);
    if (only_valid && !is_measured) continue;
    kept_.push_back({.index = i,
                     .is_evaluated = is_measured,
                     .is_degenerate = is_degenerate,
                     .num_foils = item.main.foils.size(),
                     .num_prof_foils = item.proficiency ? item.proficiency->foils.size() : 0});
  }
  if (place_.subtask.empty()) place_.subtask = "file";
}

Result<media::VisualPlace> AskedFile::place_of(const VilmaItem& item,
                                               const ShownClips& clips) const {
  const Result<annotations::ClipFile> found =
      annotations::find_clip(item, clips.folders, clips.is_compat);
  if (!found) return found.error();
  const bool is_in_frames = found->unit == annotations::VilmaTimeUnit::kFrames;
  const media::ClipUnit unit = is_in_frames ? media::ClipUnit::kFrames : media::ClipUnit::kSeconds;
  return media::VisualPlace{.path = found->path,
                            .clip = media::ClipWindow{found->start, found->end, unit},
                            .sampler = clips.sampler,
                            .frames = {}};
}

void AskedFile::draw_windows(const ShownClips& clips) const {
  media::WindowSampler sampler(clips.seed);
  windows_.resize(items_->size());
  for (size_t i = 0; i < items_->size(); ++i) {
    const auto item = items_->item(i);
    if (!item) continue;
    const auto place = place_of(*item, clips);
    const int64_t num_frames = place ? frames_in(*place, clips.is_compat) : 0;
    if (num_frames > 0) windows_[i] = sampler.next(num_frames, clips.sampler.num_frames).indices;
  }
}

Result<media::VisualPlace> AskedFile::locate(const VilmaItem& item,
                                             size_t i,
                                             const ShownClips& clips) const {
  Result<media::VisualPlace> found = place_of(item, clips);
  if (!found || clips.sampler.kind != media::FrameSampler::Kind::kWindow) return found;
  std::call_once(is_drawn_, [&] { draw_windows(clips); });
  media::VisualPlace place = std::move(found).value();
  place.frames = windows_[kept_.at(i).index];
  return place;
}

std::vector<fs::path> find_annotations(const fs::path& folder,
                                       const std::vector<std::string>& subtasks) {
  const std::vector<fs::path> files = json_files(folder);
  std::vector<fs::path> found;
  for (std::string_view name : annotations::vilma_file_names()) {
    const fs::path* chosen = nullptr;
    for (const fs::path& file : files) {
      const bool is_published = file.stem().string().starts_with(name);
      if (is_published && (chosen == nullptr || is_in_frames(*chosen))) chosen = &file;
    }
    if (chosen == nullptr) continue;
    const annotations::VilmaPlace place = annotations::vilma_place_of(*chosen, {}).value();
    auto names_it = [&](const std::string& word) {
      return word == place.subtask || word == task_id(place.task);
    };
    if (subtasks.empty() || std::any_of(subtasks.begin(), subtasks.end(), names_it))
      found.push_back(*chosen);
  }
  return found;
}

}  // namespace snellen::tasks::vilma
