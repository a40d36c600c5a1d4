// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/shown_pictures.h"

#include <algorithm>
#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/files.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/formats/json.h"
#include "snellen/media/placed_picture.h"
#include "snellen/run/ending/made_pictures.h"
#include "snellen/store/picture_names.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

// A picture takes more, so no more are looked at.
constexpr uint64_t kLeastBytes = 1024;
constexpr const char* kCounted = "kept.json";

// Each visual of these tasks once, in the order of the plan; of rungs with their names.
std::vector<WantedPicture> wanted_visuals(const PictureRequest& request,
                                          const std::vector<OpenTask>& tasks,
                                          bool of_rungs,
                                          uint64_t most) {
  std::vector<WantedPicture> all;
  std::unordered_set<ContentKey, ContentKeyHash> known;
  const Plan plan(tasks, request.settings.limit);
  for (uint64_t index = 0; index < plan.size() && all.size() < most; ++index) {
    const PlannedItem planned = plan[index];
    const OpenTask& open = tasks[planned.task];
    // Rungs of other items' pictures show them as the run's own items do.
    if (of_rungs != open.made_from.has_value() || open.comes_last) continue;
    const std::string control =
        of_rungs ? request.ladder.rungs[request.ladder.places[planned.task].folder - 1].rung.name()
                 : std::string();
    const Result<tasks::Item> item = open.task->item(planned.position);
    if (!is_of_shard(request.settings.shard, item ? &*item : nullptr, planned.position) || !item)
      continue;
    for (const questions::Visual& visual : item->visuals) {
      const auto* place = std::get_if<media::VisualPlace>(&visual.source);
      if (!place || place->path.empty() || media::shows_no_picture(*place)) continue;
      std::string which = place->path.native() + '\n' + visual.name + '\n' + control;
      if (known.insert(content_key(which)).second) all.push_back({*place, visual.name, control});
    }
  }
  return all;
}

// What the files of the visuals hold, as it was recorded when the model looked at them.
void find_keys(std::vector<WantedPicture>& all, store::Samples& samples) {
  std::unordered_map<ContentKey, std::optional<ContentKey>, ContentKeyHash> keys;
  for (const WantedPicture& one : all)
    keys.emplace(content_key(one.place.path.native()), std::nullopt);
  samples.for_each_visual([&](const store::Samples::StoredVisual& stored) {
    const auto found = keys.find(content_key(stored.visual.path));
    if (found != keys.end() && stored.visual.read && stored.visual.read->key)
      found->second = stored.visual.read->key;
  });
  for (WantedPicture& one : all) one.key = keys.at(content_key(one.place.path.native()));
}

void count_left_out(KeptPictures& kept, store::Samples& samples) {
  const uint64_t shown = samples.visual_digest().count;
  kept.left_out = shown > kept.kept ? shown - kept.kept : 0;
}

// The rungs whose pictures are there.
nlohmann::ordered_json rungs_json(const Ladder& ladder) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const Ladder::Step& step : ladder.rungs) names.push_back(step.rung.name());
  return names;
}

nlohmann::ordered_json to_json(const KeptPictures& kept,
                               double megabytes,
                               const nlohmann::ordered_json& rungs) {
  nlohmann::ordered_json json = {{"megabytes", megabytes}};
  json.update(stamped_pictures(kept));
  if (!rungs.empty()) json["rungs"] = rungs;
  return json;
}

// What an earlier process of this run counted; nothing unless it came to the end with these rungs.
std::optional<KeptPictures> counted(const fs::path& file,
                                    double megabytes,
                                    const nlohmann::ordered_json& rungs) {
  if (!fs::exists(file)) return std::nullopt;
  const nlohmann::json json = formats::parse_json(read_text_file(file));
  auto number = [&](const char* key) {
    return json.is_object() && json.contains(key) && json[key].is_number_unsigned()
               ? json[key].get<uint64_t>()
               : 0;
  };
  if (!json.is_object() || json.value("megabytes", -1.0) != megabytes ||
      json.value("rungs", nlohmann::json::array()) != nlohmann::json(rungs))
    return std::nullopt;
  return KeptPictures{number("kept"),
                      number("left_out"),
                      number("bytes"),
                      number("rung_pictures"),
                      number("rung_pictures_left_out")};
}

// Makes the pictures and writes what fits.
class PictureWriter {
 public:
  PictureWriter(const PictureRequest& request, fs::path folder, uint64_t max_bytes)
      : request_(request),
        observed_(dynamic_cast<const models::Observed*>(&request.model)),
        folder_(std::move(folder)),
        max_bytes_(max_bytes) {}

  // False when it was stopped.
  bool write(const std::vector<WantedPicture>& all) {
    std::atomic<bool> is_stopped = false;
    uint64_t num_taken = 0;
    ordered_pipeline<MadePictures>(
        all.size(),
        request_.settings.num_threads,
        [&](uint64_t i) { return made_pictures(all[i], observed_); },
        [&](MadePictures&& made) {
          take(made);
          request_.on_progress(++num_taken, all.size());
        },
        [&] {
          if (request_.is_stopped && request_.is_stopped()) is_stopped = true;
          return is_full_ || is_stopped;
        });
    return !is_stopped;
  }

  const KeptPictures& kept() const { return kept_; }
  // Visuals under a control whose picture is there; several may have the same.
  uint64_t num_of_rungs() const { return num_of_rungs_; }

 private:
  void take(const MadePictures& made) {
    uint64_t bytes = 0;
    for (const auto& [name, content] : made.files)
      if (!written_.contains(name)) bytes += content.size();
    if (is_full_ || kept_.bytes + bytes > max_bytes_) {
      is_full_ = true;
      return;
    }
    if (!made.small.empty() && !written_.contains(made.small)) ++kept_.kept;
    if (made.is_of_rung && !made.files.empty()) ++num_of_rungs_;
    kept_.bytes += bytes;
    for (const auto& [name, content] : made.files) {
      if (!written_.insert(name).second) continue;
      kept_.rung_pictures += store::is_rung_picture(name);
      write_text_file(folder_ / name, content, Sync::kLater);
    }
  }

  const PictureRequest& request_;
  const models::Observed* observed_;
  fs::path folder_;
  uint64_t max_bytes_;
  KeptPictures kept_;
  uint64_t num_of_rungs_ = 0;
  std::unordered_set<std::string> written_;
  std::atomic<bool> is_full_ = false;
};

}  // namespace

nlohmann::ordered_json stamped_pictures(const KeptPictures& kept) {
  nlohmann::ordered_json json = {
      {"kept", kept.kept}, {"left_out", kept.left_out}, {"bytes", kept.bytes}};
  if (kept.rung_pictures + kept.rung_pictures_left_out > 0) {
    json["rung_pictures"] = kept.rung_pictures;
    json["rung_pictures_left_out"] = kept.rung_pictures_left_out;
  }
  return json;
}

std::optional<KeptPictures> keep_pictures(const PictureRequest& request, store::Samples& samples) {
  const double megabytes = request.megabytes;
  const nlohmann::ordered_json rungs = rungs_json(request.ladder);
  const fs::path folder = store::thumbs_folder(request.paths.folder),
                 count_file = folder / kCounted;
  if (std::optional<KeptPictures> known = counted(count_file, megabytes, rungs)) return known;
  const auto max_bytes = static_cast<uint64_t>(megabytes * 1e6);
  const uint64_t most = max_bytes / kLeastBytes;
  std::vector<WantedPicture> own = wanted_visuals(request, request.tasks, /*of_rungs=*/false, most);
  if (own.empty()) return KeptPictures{.left_out = samples.visual_digest().count};
  find_keys(own, samples);
  fs::create_directories(folder);
  PictureWriter writer(request, folder, max_bytes);
  if (!writer.write(own)) return std::nullopt;
  own.clear();
  std::vector<WantedPicture> changed =
      wanted_visuals(request, request.ladder.tasks, /*of_rungs=*/true, most);
  find_keys(changed, samples);
  if (!writer.write(changed)) return std::nullopt;
  KeptPictures kept = writer.kept();
  count_left_out(kept, samples);
  kept.rung_pictures_left_out = changed.size() - writer.num_of_rungs();
  write_text_file(count_file, to_json(kept, megabytes, rungs).dump() + "\n");
  return kept;
}

std::optional<KeptPictures> join_pictures(std::span<const fs::path> shards,
                                          double megabytes,
                                          const store::RunPaths& paths,
                                          store::Samples& samples) {
  KeptPictures kept;
  const fs::path thumbs = store::thumbs_folder(paths.folder);
  nlohmann::ordered_json rungs = nlohmann::ordered_json::array();
  for (const fs::path& shard : shards) {
    const fs::path folder = store::thumbs_folder(shard);
    if (!fs::is_directory(folder)) continue;
    if (fs::exists(folder / kCounted)) {
      const auto told = formats::parse_ordered_json(read_text_file(folder / kCounted));
      if (told.is_object()) {
        rungs = told.value("rungs", rungs);
        kept.rung_pictures_left_out += told.value("rung_pictures_left_out", uint64_t{0});
      }
    }
    fs::create_directories(thumbs);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name == kCounted || !entry.is_regular_file() || fs::exists(thumbs / name)) continue;
      fs::copy_file(entry.path(), thumbs / name);
      kept.bytes += entry.file_size();
      kept.kept += name.ends_with(".jpg") && name.find('-') == std::string::npos;
      kept.rung_pictures += store::is_rung_picture(name);
    }
  }
  if (!fs::exists(thumbs)) return std::nullopt;
  count_left_out(kept, samples);
  write_text_file(thumbs / kCounted, to_json(kept, megabytes, rungs).dump() + "\n");
  return kept;
}

}  // namespace snellen::run
