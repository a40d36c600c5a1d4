// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/world_probe.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/direction_pair.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/prompts.h"
#include "snellen/eyechart/world/render.h"
#include "snellen/training/data/slot_cache.h"
#include "snellen/training/data/world_prompts.h"
#include "snellen/training/probes/naming_probe.h"

namespace snellen::training {
namespace {

using eyechart::Predicate;
using eyechart::Relation;
using eyechart::Scene;

constexpr auto kNames =
    std::to_array<std::string_view>({"predicate", "opposite", "exchanged", "colours", "naming"});

constexpr uint64_t kKeptBytes = uint64_t{2} << 30;

// Nobody can say of one of a crowd where it is.
bool are_single(const Scene& scene, const Relation& relation) {
  return scene.things[relation.subject].copies == 1 && scene.things[relation.object].copies == 1;
}

// Another predicate, neither true nor the inverse.
std::optional<Relation> other_relation(Rng rng, const Scene& scene, const Relation& right) {
  std::vector<Relation> wrong;
  for (size_t i = 0; i < eyechart::kNumPredicates; ++i) {
    const Relation other = {right.subject, right.object, static_cast<Predicate>(i)};
    if (!eyechart::is_true(scene, other) && other.predicate != inverse_of(right.predicate))
      wrong.push_back(other);
  }
  if (wrong.empty()) return std::nullopt;
  return wrong[rng.below(wrong.size())];
}

class WorldProbe final : public ProbeSource {
 public:
  explicit WorldProbe(const WorldProbeOptions& options)
      : options_(options), drawn_(3 * options.num_scenes, kKeptBytes) {
    for (uint64_t i = 0; i < options_.num_scenes; ++i) add(i);
    if (!options_.is_naming_alone) {
      for (uint64_t i = 0; i < options_.num_scenes; ++i) add_directions(i);
    }
    // Names are told in the order in which they come, which is not to hang on the first scene.
    auto rank = [](const ProbeQuestion& question) {
      return std::find(kNames.begin(), kNames.end(), question.probes.at(0)) - kNames.begin();
    };
    std::stable_sort(
        questions_.begin(), questions_.end(), [&](const ProbeQuestion& a, const ProbeQuestion& b) {
          return rank(a) < rank(b);
        });
  }

  uint64_t size() const override { return questions_.size(); }
  Result<ProbeQuestion> question(uint64_t index) const override { return questions_.at(index); }

 private:
  void add(uint64_t index) {
    const Scene scene = training_scene(options_.seed, index);
    const questions::Visual visual =
        shown(index, fmt::format("scene {} of world {}", index, options_.seed), scene);
    std::vector<uint32_t> there;
    for (const eyechart::Thing& thing : scene.things)
      there.push_back(static_cast<uint32_t>(thing.noun));
    questions_.push_back(naming_question(visual, class_texts_, std::move(there)));
    if (options_.is_naming_alone) return;
    add_relations(scene, visual, Rng(options_.seed).fork("train-probe").fork(index));
    add_colours(scene, visual);
  }

  // A model is evaluated again and again: what was drawn is kept, up to a limit.
  questions::Visual shown(uint64_t slot, const std::string& key, const Scene& scene) {
    auto draw = [this, slot, scene]() -> Result<media::Image> {
      return *drawn_.get(
          slot,
          [&] { return std::make_shared<const media::Image>(eyechart::render_image(scene)); },
          [](const Kept& kept) { return kept->pixels.size(); });
    };
    return {.name = key, .source = questions::Drawn{key, std::move(draw)}};
  }

  void add_relations(const Scene& scene, const questions::Visual& visual, Rng rng) {
    if (scene.relations.empty() || !are_single(scene, scene.relations.front())) return;
    const Relation& right = scene.relations.front();
    if (const std::optional<Relation> wrong = other_relation(rng, scene, right)) {
      add_contrast({"predicate"},
                   visual,
                   eyechart::relation_prompt(scene, right),
                   eyechart::relation_prompt(scene, *wrong));
    }
  }

  // Both scenes of a pair, with the same texts.
  void add_directions(uint64_t index) {
    const eyechart::DirectionPair pair = eyechart::draw_direction_pair(options_.seed, index);
    for (size_t i = 0; i < pair.scenes.size(); ++i) {
      const questions::Visual visual =
          shown((i + 1) * options_.num_scenes + index,
                fmt::format("side {} of pair {} of world {}", i, index, options_.seed),
                pair.scenes.at(i));
      for (const eyechart::OppositeStatements& each : pair.opposites)
        add_contrast(
            {std::string(each.category), "direction", fmt::format("direction/{}", pair.kind)},
            visual,
            eyechart::relation_prompt(each.statements.at(i)),
            eyechart::relation_prompt(each.statements.at(1 - i)));
    }
  }

  void add_colours(const Scene& scene, const questions::Visual& visual) {
    for (size_t i = 0; i < scene.things.size(); ++i) {
      for (size_t j = i + 1; j < scene.things.size(); ++j) {
        const eyechart::Thing &a = scene.things[i], &b = scene.things[j];
        if (!eyechart::have_two_colours(a, b)) continue;
        add_contrast({"colours"},
                     visual,
                     eyechart::two_colours_prompt(a, b),
                     eyechart::exchanged_colours_prompt(a, b));
        return;
      }
    }
  }

  void add_contrast(std::vector<std::string> names,
                    const questions::Visual& visual,
                    std::string right,
                    std::string wrong) {
    questions_.push_back({.probes = std::move(names),
                          .cluster = visual.name,
                          .visuals = {visual},
                          .texts = {{.prompt = std::move(right)}, {.prompt = std::move(wrong)}},
                          .questions = {{.texts = {0, 1}}},
                          .chance = 0.5,
                          .judge = [](const questions::Scores& scores) -> Result<Verdict> {
                            return first_wins(scores.values);
                          }});
  }

  static questions::Texts noun_texts() {
    std::vector<std::string> texts;
    for (const eyechart::Noun& noun : eyechart::nouns())
      texts.push_back(fmt::format("A photo of a {}.", noun.name));
    return shared_texts(std::move(texts));
  }

  WorldProbeOptions options_;
  using Kept = std::shared_ptr<const media::Image>;
  SlotCache<Kept> drawn_;
  questions::Texts class_texts_ = noun_texts();
  std::vector<ProbeQuestion> questions_;
};

}  // namespace

std::unique_ptr<ProbeSource> world_probe(const WorldProbeOptions& options) {
  return std::make_unique<WorldProbe>(options);
}

}  // namespace snellen::training
