// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/direction_pair.h"
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

std::optional<Composition> with_exchanged_colours(const Scene& scene) {
  std::optional<eyechart::ExchangedColours> exchanged = eyechart::exchanged_colours(scene);
  if (!exchanged) return std::nullopt;
  const Thing &a = scene.things[exchanged->first], &b = scene.things[exchanged->second];
  return Composition{.first = scene,
                     .second = std::move(exchanged->scene),
                     .prompt1 = eyechart::two_colours_prompt(a, b),
                     .prompt2 = eyechart::exchanged_colours_prompt(a, b)};
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
        wants_exchange ? with_exchanged_colours(scene) : changed_look(rng, scene, thing);
    if (made) return *made;
  }
  throw_internal("no scene has a colour to change", __FILE__, __LINE__);
}

// How often each kind of direction is learnt from, in the order of eyechart::DirectionPair: what
// needs two things compared, or who acts, takes longest.
constexpr std::array<uint64_t, eyechart::kNumDirectionKinds> kKindWeights = {
    6, 2, 1, 1, 3, 5, 3, 4, 5, 5, 2, 2};

uint64_t drawn_kind(Rng& rng) {
  uint64_t left = rng.below(std::accumulate(kKindWeights.begin(), kKindWeights.end(), uint64_t{0}));
  for (uint64_t kind = 0; kind < kKindWeights.size(); ++kind) {
    if (left < kKindWeights.at(kind)) return kind;
    left -= kKindWeights.at(kind);
  }
  return 0;
}

// Two scenes in which a relation runs opposite ways, what is true of each alone, and what is false
// of the first for other reasons.
struct Directed {
  eyechart::DirectionPair pair;
  std::array<std::string, 2> right;
  std::string wrong_relation;
  std::string wrong_subject;
};

// A predicate that neither holds nor is the inverse.
eyechart::Statement with_other_predicate(Rng& rng,
                                         const Scene& scene,
                                         const eyechart::Statement& said) {
  eyechart::Statement other = said;
  while (other.predicate == said.predicate ||
         other.predicate == eyechart::inverse_of(said.predicate) || eyechart::is_true(scene, other))
    other.predicate = static_cast<eyechart::Predicate>(rng.below(eyechart::kNumPredicates));
  return other;
}

Directed drawn_directed(Rng& rng, uint64_t seed, uint64_t index) {
  const uint64_t kind = drawn_kind(rng);
  Directed made;
  made.pair = eyechart::draw_direction_pair(
      seed, (2 * index + rng.below(2)) * eyechart::kNumDirectionKinds + kind);
  const eyechart::OppositeStatements& asked =
      made.pair.opposites[rng.below(made.pair.opposites.size())];
  // Either of the two scenes comes first.
  const size_t first = rng.below(2);
  if (first == 1) std::swap(made.pair.scenes[0], made.pair.scenes[1]);
  const eyechart::Statement& said = asked.statements.at(first);
  made.right = {eyechart::relation_prompt(said),
                eyechart::relation_prompt(asked.statements.at(1 - first))};
  const Scene& scene = made.pair.scenes[0];
  made.wrong_relation = eyechart::relation_prompt(with_other_predicate(rng, scene, said));
  made.wrong_subject = eyechart::relation_prompt(
      eyechart::Statement{absent_noun(rng, scene), said.predicate, said.object});
  return made;
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
    Composition pair = drawn_composition(rng, options_.seed, index);
    Directed directed = drawn_directed(rng, options_.seed, index);
    Sample composition = {
        .pictures = {pictures_.picture(pair.first), pictures_.picture(pair.second)},
        .texts = {pair.prompt1, pair.prompt2},
        .matches = {{0, 0}, {1, 1}},
        .contrasts = composition_contrasts()};
    Sample relation = {.pictures = {pictures_.picture(directed.pair.scenes[0]),
                                    pictures_.picture(directed.pair.scenes[1])},
                       .texts = {directed.right[0],
                                 directed.right[1],
                                 directed.wrong_relation,
                                 directed.wrong_subject},
                       .matches = {{0, 0}, {1, 1}},
                       .contrasts = direction_contrasts(directed.pair.kind)};
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
