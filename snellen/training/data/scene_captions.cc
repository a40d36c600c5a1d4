// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/captions.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/data/slot_cache.h"
#include "snellen/training/data/world_pictures.h"
#include "snellen/training/data/world_prompts.h"

namespace snellen::training {
namespace {

class SceneCaptions final : public SampleSource {
 public:
  SceneCaptions(const SceneOptions& options, const media::ImageProcessor& processor)
      : options_(options), pictures_(processor), cache_(options.num_scenes, options.cache_bytes) {}

  uint64_t size() const override { return options_.num_scenes; }

  Result<Sample> sample(uint64_t epoch, uint64_t index) const override {
    Shown shown = cache_.get(
        index,
        [&] {
          Shown made = {.scene = training_scene(options_.seed, index), .picture = {}};
          made.picture = pictures_.picture(made.scene);
          return made;
        },
        [](const Shown& made) {
          return made.picture.pixels.size() + made.scene.things.size() * sizeof(eyechart::Thing);
        });
    Sample sample;
    Rng rng = Rng(options_.seed).fork("train-caption").fork(epoch).fork(shown.scene.id);
    sample.texts = {drawn_text(rng, shown.scene, options_.relation_percent)};
    sample.pictures = {std::move(shown.picture)};
    sample.matches = {{0, 0}};
    return sample;
  }

  std::string identity() const override {
    return fmt::format("eyechart scenes 1 to {} of seed {}, {} % relations",
                       options_.num_scenes,
                       options_.seed,
                       options_.relation_percent);
  }

 private:
  struct Shown {
    eyechart::Scene scene;
    media::Image picture;
  };

  SceneOptions options_;
  WorldPictures pictures_;
  SlotCache<Shown> cache_;
};

}  // namespace

std::unique_ptr<SampleSource> scene_captions(const SceneOptions& options,
                                             const media::ImageProcessor& processor) {
  return std::make_unique<SceneCaptions>(options, processor);
}

}  // namespace snellen::training
