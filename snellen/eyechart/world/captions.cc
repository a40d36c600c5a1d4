// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/captions.h"

#include <fmt/format.h>

#include "snellen/eyechart/world/phrases.h"

namespace snellen::eyechart {
namespace {

const Relation& drawn_relation(Rng& rng, const Scene& scene) {
  // What the scene was made for is said most.
  if (rng.below(100) < 60) return scene.relations.front();
  return scene.relations[rng.below(scene.relations.size())];
}

std::string place_phrase(Rng& rng, const Scene& scene) {
  const PlaceWords& words = words_of(scene.backdrop.place);
  if (words.is_indoor || rng.below(2) == 0) return std::string(words.phrase);
  return scene.backdrop.is_sunny ? "under a sunny sky" : "under a cloudy sky";
}

std::string list_of_things(Rng& rng, const Scene& scene) {
  std::string list;
  const size_t count = scene.things.size();
  const size_t first = rng.below(count);
  for (size_t i = 0; i < count; ++i) {
    const Thing& thing = scene.things[(first + i) % count];
    list += i == 0 ? "" : i + 1 == count ? " and " : ", ";
    list += drawn_phrase(rng, thing);
  }
  return list;
}

// Draws are made one after the other, never as arguments of one call, whose order is the
// compiler's.
std::string told_relation(Rng& rng, const Scene& scene) {
  const Relation& relation = drawn_relation(rng, scene);
  const uint64_t wording = rng.below(6);
  if (wording <= 1) {
    const std::string subject = drawn_phrase(rng, scene.things[relation.subject]);
    const std::string object = drawn_phrase(rng, scene.things[relation.object]);
    const std::string_view lead = wording == 0 ? "a photo of" : "there is";
    return fmt::format("{} {} {} {}", lead, subject, words_of(relation.predicate).name, object);
  }
  std::string clause = relation_clause(rng, scene, relation);
  if (wording == 2) return fmt::format("{}, {}", place_phrase(rng, scene), clause);
  if (wording == 3) return fmt::format("{} {}", clause, place_phrase(rng, scene));
  return clause;
}

constexpr uint64_t kRelationPercent = 66;
constexpr uint64_t kPlainKinds = 100 - kRelationPercent;

// `kind` below 14: a list; below 24: a list and the place; below kPlainKinds: one thing.
std::string plain_caption(Rng& rng, const Scene& scene, uint64_t kind) {
  if (kind < 14) return sentence(list_of_things(rng, scene));
  if (kind < 24) {
    const std::string list = list_of_things(rng, scene);
    return sentence(fmt::format("{} {}", list, place_phrase(rng, scene)));
  }
  const Thing& thing = scene.things[rng.below(scene.things.size())];
  return sentence(fmt::format("a picture of {}", drawn_phrase(rng, thing)));
}

}  // namespace

std::string relation_clause(Rng& rng, const Scene& scene, const Relation& relation) {
  const std::string subject = drawn_phrase(rng, scene.things[relation.subject]);
  const std::string object = drawn_phrase(rng, scene.things[relation.object]);
  const PredicateWords& words = words_of(relation.predicate);
  const uint64_t wording = rng.below(4);
  if (wording == 0 && !words.passive.empty())
    return fmt::format("{} {} {}", object, words.passive, subject);
  if (wording == 0) {
    if (const auto inverse = inverse_of(relation.predicate)) {
      return fmt::format("{} {} {}", object, words_of(*inverse).clause, subject);
    }
  }
  if (wording == 1) return fmt::format("{} {} {}", subject, words.name, object);
  return fmt::format("{} {} {}", subject, words.clause, object);
}

std::string draw_caption(Rng& rng, const Scene& scene) {
  const uint64_t kind = rng.below(100);
  if (kind < kRelationPercent) return draw_relation_caption(rng, scene);
  return plain_caption(rng, scene, kind - kRelationPercent);
}

std::string draw_relation_caption(Rng& rng, const Scene& scene) {
  return sentence(told_relation(rng, scene));
}

std::string draw_plain_caption(Rng& rng, const Scene& scene) {
  return plain_caption(rng, scene, rng.below(kPlainKinds));
}

std::vector<std::string> captions_of(const Scene& scene, uint64_t seed, size_t count) {
  Rng rng = Rng(seed).fork("eyechart-captions").fork(scene.id);
  std::vector<std::string> captions;
  captions.reserve(count);
  for (size_t i = 0; i < count; ++i) captions.push_back(draw_caption(rng, scene));
  return captions;
}

}  // namespace snellen::eyechart
