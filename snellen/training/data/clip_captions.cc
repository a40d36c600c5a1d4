// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/rng.h"
#include "snellen/eyechart/vilma/clip_item.h"
#include "snellen/training/data/clip_items.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/data/slot_cache.h"
#include "snellen/training/data/world_pictures.h"

namespace snellen::training {
namespace {

using eyechart::vilma::VilmaClip;

constexpr std::array kKinds = {eyechart::vilma::counting_clip,
                               eyechart::vilma::action_clip,
                               eyechart::vilma::swapping_clip,
                               eyechart::vilma::state_clip,
                               eyechart::vilma::rare_clip,
                               eyechart::vilma::relation_clip};

class ClipCaptions final : public SampleSource {
 public:
  ClipCaptions(const SceneOptions& options, const media::ImageProcessor& processor, int num_frames)
      : options_(options),
        num_frames_(num_frames),
        pictures_(processor),
        cache_(options.num_scenes, options.cache_bytes) {}

  uint64_t size() const override { return options_.num_scenes; }

  Result<Sample> sample(uint64_t epoch, uint64_t index) const override {
    Shown shown = cache_.get(
        index,
        [&] { return rendered(index); },
        [](const Shown& made) {
          return made.frames.size() * (made.frames.empty() ? 0 : made.frames[0].pixels.size());
        });
    Rng rng = Rng(options_.seed).fork("train-clip").fork(epoch).fork(index);
    return Sample{.pictures = std::move(shown.frames),
                  .texts = {shown.captions[rng.below(shown.captions.size())]},
                  .matches = {{0, 0}},
                  .contrasts = {}};
  }

  std::string identity() const override {
    return fmt::format("eyechart clips 1 to {} of seed {}", options_.num_scenes, options_.seed);
  }

 private:
  struct Shown {
    std::vector<media::Image> frames;
    std::vector<std::string> captions;
  };

  // The frames that one of the items is asked of, and the captions of all items with that window.
  Shown rendered(uint64_t index) const {
    VilmaClip clip = training_clip(options_.seed, index);
    std::vector<ClipItem> items = items_of(clip);
    const ClipItem& first = items.at(index / kKinds.size() % items.size());
    Shown shown;
    for (const ClipItem& item : items) {
      if (item.first_frame == first.first_frame && item.last_frame == first.last_frame)
        shown.captions.push_back(item.caption);
    }
    shown.frames = pictures_.frames(clip.script, first.first_frame, first.last_frame, num_frames_);
    return shown;
  }

  SceneOptions options_;
  int num_frames_;
  WorldPictures pictures_;
  SlotCache<Shown> cache_;
};

}  // namespace

VilmaClip training_clip(uint64_t seed, uint64_t index) {
  return kKinds.at(index % kKinds.size())(seed, index / kKinds.size());
}

std::vector<ClipItem> items_of(const VilmaClip& clip) {
  std::vector<ClipItem> items;
  for (const eyechart::vilma::ItemRow& row : clip.rows) {
    nlohmann::json json = nlohmann::json::parse("{" + row.text + "}");
    const nlohmann::json& item = json.begin().value();
    ClipItem one = {.caption = item.at("caption").get<std::string>(),
                    .first_frame = 0,
                    .last_frame = clip.script.num_frames - 1};
    if (item.at("time_unit") == "sec" && item.at("start_time").is_number() &&
        item.at("end_time").is_number()) {
      double rate = clip.script.frames_per_second;
      auto frame = [&](const char* key) {
        return std::clamp(static_cast<int>(item.at(key).get<double>() * rate), 0, one.last_frame);
      };
      int first = frame("start_time"), last = frame("end_time");
      if (first < last) {
        one.first_frame = first;
        one.last_frame = last;
      }
    }
    items.push_back(std::move(one));
  }
  return items;
}

std::unique_ptr<SampleSource> clip_captions(const SceneOptions& options,
                                            const media::ImageProcessor& processor,
                                            int num_frames) {
  return std::make_unique<ClipCaptions>(options, processor, num_frames);
}

}  // namespace snellen::training
