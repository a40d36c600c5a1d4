// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/prompts.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/data/slot_cache.h"
#include "snellen/training/data/world_pictures.h"
#include "snellen/training/data/world_prompts.h"

namespace snellen::training {
namespace {

using eyechart::Noun;
using eyechart::Scene;
using eyechart::Thing;

constexpr int kMostDraws = 100;

const Noun& noun_of(const Thing& thing) {
  return eyechart::nouns()[thing.noun];
}

std::string_view colour_of(const Thing& thing) {
  return eyechart::kColours.at(thing.look.colour).name;
}
std::string_view pattern_of(const Thing& thing) {
  return eyechart::kPatterns.at(static_cast<size_t>(thing.look.pattern));
}

// A scene, the scene it might be taken for, and what is true of each alone.
struct Composition {
  Scene first;
  Scene second;
  std::string prompt1;
  std::string prompt2;
};

std::optional<Composition> exchanged_colours(const Scene& scene) {
  for (size_t i = 0; i < scene.things.size(); ++i) {
    for (size_t j = i + 1; j < scene.things.size(); ++j) {
      const Thing &a = scene.things[i], &b = scene.things[j];
      if (!eyechart::have_two_colours(a, b)) continue;
      Composition made = {.first = scene,
                          .second = scene,
                          .prompt1 = eyechart::two_colours_prompt(a, b),
                          .prompt2 = eyechart::exchanged_colours_prompt(a, b)};
      std::swap(made.second.things[i].look.colour, made.second.things[j].look.colour);
      return made;
    }
  }
  return std::nullopt;
}

std::optional<Composition> changed_look(Rng& rng, const Scene& scene, size_t thing) {
  Composition made = {.first = scene, .second = scene, .prompt1 = {}, .prompt2 = {}};
  const Thing& before = made.first.things[thing];
  Thing& after = made.second.things[thing];
  if (before.copies > 1) return std::nullopt;
  bool is_patterned = before.look.pattern != eyechart::Pattern::kPlain && rng.below(3) == 0;
  if (is_patterned) {
    // Patterns 1 to 3: one of the two others.
    auto now = static_cast<uint64_t>(before.look.pattern);
    after.look.pattern = static_cast<eyechart::Pattern>((now - 1 + 1 + rng.below(2)) % 3 + 1);
    made.prompt1 = attribute_prompt(pattern_of(before), noun_of(before).name);
    made.prompt2 = attribute_prompt(pattern_of(after), noun_of(after).name);
    return made;
  }
  if (!eyechart::is_coloured(before)) return std::nullopt;
  after.look.colour = (before.look.colour + 1 + rng.below(eyechart::kColours.size() - 1)) %
                      eyechart::kColours.size();
  made.prompt1 = attribute_prompt(colour_of(before), noun_of(before).name);
  made.prompt2 = attribute_prompt(colour_of(after), noun_of(after).name);
  return made;
}

Composition drawn_composition(Rng& rng, uint64_t seed, uint64_t index) {
  for (int draw = 0; draw < kMostDraws; ++draw) {
    // Later draws take scenes beyond those of the epoch.
    Scene scene = training_scene(seed, index + static_cast<uint64_t>(draw) * 1'000'003);
    bool wants_exchange = rng.below(2) == 0;
    size_t thing = rng.below(scene.things.size());
    std::optional<Composition> made =
        wants_exchange ? exchanged_colours(scene) : changed_look(rng, scene, thing);
    if (made) return *made;
  }
  throw_internal("no scene has a colour to change", __FILE__, __LINE__);
}

struct Relational {
  Scene scene;
  std::string right;
  std::string wrong_relation;
  std::string wrong_subject;
};

Relational drawn_relational(Rng& rng, uint64_t seed, uint64_t index) {
  for (int draw = 0; draw < kMostDraws; ++draw) {
    Scene scene = training_scene(seed, index + static_cast<uint64_t>(draw) * 1'000'003);
    if (scene.relations.empty()) continue;
    const eyechart::Relation relation = scene.relations[rng.below(scene.relations.size())];
    std::optional<std::string> wrong = false_relation_prompt(rng, scene, relation);
    if (!wrong) continue;
    std::string_view predicate = eyechart::words_of(relation.predicate).name;
    std::string_view object = noun_of(scene.things[relation.object]).name;
    size_t absent = absent_noun(rng, scene);
    return {.scene = scene,
            .right = eyechart::relation_prompt(scene, relation),
            .wrong_relation = *wrong,
            .wrong_subject =
                eyechart::relation_prompt(eyechart::nouns()[absent].name, predicate, object)};
  }
  throw_internal("no scene has a relation", __FILE__, __LINE__);
}

class SceneContrasts final : public SampleSource {
 public:
  SceneContrasts(const SceneOptions& options, const media::ImageProcessor& processor)
      : options_(options), pictures_(processor), cache_(options.num_scenes, options.cache_bytes) {}

  uint64_t size() const override { return options_.num_scenes; }

  Result<Sample> sample(uint64_t /*epoch*/, uint64_t index) const override {
    return cache_.get(
        index,
        [&] { return drawn(index); },
        [](const Sample& sample) {
          uint64_t bytes = 0;
          for (const media::Image& picture : sample.pictures) bytes += picture.pixels.size();
          return bytes;
        });
  }

  std::string identity() const override {
    return fmt::format("eyechart contrasts 1 to {} of seed {}", options_.num_scenes, options_.seed);
  }

 private:
  Sample drawn(uint64_t index) const {
    Rng rng = Rng(options_.seed).fork("train-pair").fork(index);
    Composition pair = drawn_composition(rng, options_.seed, 2 * index);
    Relational relational = drawn_relational(rng, options_.seed, 2 * index + 1);
    Sample composition = {
        .pictures = {pictures_.picture(pair.first), pictures_.picture(pair.second)},
        .texts = {pair.prompt1, pair.prompt2},
        .matches = {{0, 0}, {1, 1}},
        .contrasts = composition_contrasts()};
    Sample relation = {
        .pictures = {pictures_.picture(relational.scene)},
        .texts = {relational.right, relational.wrong_relation, relational.wrong_subject},
        .matches = {{0, 0}},
        .contrasts = relation_contrasts()};
    return joined(std::move(composition), std::move(relation));
  }

  SceneOptions options_;
  WorldPictures pictures_;
  SlotCache<Sample> cache_;
};

}  // namespace

std::unique_ptr<SampleSource> scene_contrasts(const SceneOptions& options,
                                              const media::ImageProcessor& processor) {
  return std::make_unique<SceneContrasts>(options, processor);
}

}  // namespace snellen::training
