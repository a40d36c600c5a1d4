// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/probes/world_probe.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "snellen/base/rng.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/prompts.h"
#include "snellen/training/data/world_pictures.h"
#include "snellen/training/data/world_prompts.h"
#include "snellen/training/probes/naming_probe.h"

namespace snellen::training {
namespace {

using eyechart::Predicate;
using eyechart::Relation;
using eyechart::Scene;

constexpr auto kNames =
    std::to_array<std::string_view>({"predicate", "opposite", "exchanged", "colours", "naming"});

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
  WorldProbe(const WorldProbeOptions& options, const media::ImageProcessor& processor)
      : options_(options), pictures_(processor) {
    for (uint64_t i = 0; i < options_.num_scenes; ++i) add(i);
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
  Result<media::Image> picture(const std::string& key) const override {
    return pictures_.picture(training_scene(options_.seed, scenes_.at(key)));
  }

 private:
  void add(uint64_t index) {
    const Scene scene = training_scene(options_.seed, index);
    const std::string key = fmt::format("scene {} of world {}", index, options_.seed);
    scenes_.emplace(key, index);
    std::vector<uint32_t> there;
    for (const eyechart::Thing& thing : scene.things)
      there.push_back(static_cast<uint32_t>(thing.noun));
    questions_.push_back(naming_question(key, class_texts_, std::move(there)));
    if (options_.is_naming_alone) return;
    add_relations(scene, key, Rng(options_.seed).fork("train-probe").fork(index));
    add_colours(scene, key);
  }

  void add_relations(const Scene& scene, const std::string& key, Rng rng) {
    if (scene.relations.empty() || !are_single(scene, scene.relations.front())) return;
    const Relation& right = scene.relations.front();
    auto add_against = [&](const char* name, const std::optional<Relation>& wrong) {
      if (!wrong || eyechart::is_true(scene, *wrong)) return;
      add_contrast(name,
                   key,
                   eyechart::relation_prompt(scene, right),
                   eyechart::relation_prompt(scene, *wrong));
    };
    add_against("predicate", other_relation(rng, scene, right));
    if (const std::optional<Predicate> inverse = inverse_of(right.predicate))
      add_against("opposite", Relation{right.subject, right.object, *inverse});
    add_against("exchanged", Relation{right.object, right.subject, right.predicate});
  }

  void add_colours(const Scene& scene, const std::string& key) {
    for (size_t i = 0; i < scene.things.size(); ++i) {
      for (size_t j = i + 1; j < scene.things.size(); ++j) {
        const eyechart::Thing &a = scene.things[i], &b = scene.things[j];
        if (!eyechart::have_two_colours(a, b)) continue;
        add_contrast("colours",
                     key,
                     eyechart::two_colours_prompt(a, b),
                     eyechart::exchanged_colours_prompt(a, b));
        return;
      }
    }
  }

  void add_contrast(const char* name,
                    const std::string& key,
                    std::string right,
                    std::string wrong) {
    questions_.push_back({.probes = {name},
                          .cluster = key,
                          .pictures = {key},
                          .texts = {std::move(right), std::move(wrong)},
                          .asked = {{0, 0}, {0, 1}},
                          .chance = 0.5,
                          .judge = [](std::span<const double> scores) -> Result<Verdict> {
                            return first_wins(scores);
                          }});
  }

  static std::vector<std::string> noun_texts() {
    std::vector<std::string> texts;
    for (const eyechart::Noun& noun : eyechart::nouns())
      texts.push_back(fmt::format("A photo of a {}.", noun.name));
    return texts;
  }

  WorldProbeOptions options_;
  WorldPictures pictures_;
  std::vector<std::string> class_texts_ = noun_texts();
  std::vector<ProbeQuestion> questions_;
  std::map<std::string, uint64_t> scenes_;  // by key
};

}  // namespace

std::unique_ptr<ProbeSource> world_probe(const WorldProbeOptions& options,
                                         const media::ImageProcessor& processor) {
  return std::make_unique<WorldProbe>(options, processor);
}

}  // namespace snellen::training
