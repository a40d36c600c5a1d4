// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "snellen/training/data/clip_items.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/data/world_prompts.h"

namespace snellen::training {
namespace {

class WorldTexts final : public SampleSource {
 public:
  explicit WorldTexts(const SceneOptions& options) : options_(options) {}

  uint64_t size() const override { return options_.num_scenes; }

  Result<Sample> sample(uint64_t epoch, uint64_t index) const override {
    Rng rng = Rng(options_.seed).fork("train-text").fork(epoch).fork(index);
    Sample sample;
    if (index % 3 == 2) {
      std::vector<ClipItem> items = items_of(training_clip(options_.seed, index / 3));
      sample.texts = {items[rng.below(items.size())].caption};
    } else {
      sample.texts = {drawn_text(rng, training_scene(options_.seed, index))};
    }
    return sample;
  }

  std::string identity() const override {
    return fmt::format("eyechart texts 1 to {} of seed {}", options_.num_scenes, options_.seed);
  }

 private:
  SceneOptions options_;
};

}  // namespace

std::unique_ptr<SampleSource> world_texts(const SceneOptions& options) {
  return std::make_unique<WorldTexts>(options);
}

}  // namespace snellen::training
