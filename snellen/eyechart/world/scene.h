// SPDX-License-Identifier: Apache-2.0
// What is where: pure data, the same at every picture size. A scene is drawn from the stream
// "{seed}|eyechart-scene|{id}", so any scene can be had at any time without the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "snellen/eyechart/draw/geometry.h"
#include "snellen/eyechart/draw/look.h"
#include "snellen/eyechart/world/backdrop.h"
#include "snellen/eyechart/world/relation.h"

namespace snellen::eyechart {

struct Thing {
  size_t noun = 0;  // into nouns()
  Look look;
  Box box;  // in shares of the (square) picture
  bool faces_left = false;
  bool is_grounded = true;  // stands on the ground and throws a shadow there
  double lift = 0;          // how far above its shadow it is just now, in shares
  bool stands() const { return is_grounded && lift <= 0; }
  double angle = 0;   // degrees clockwise
  size_t copies = 1;  // more: a group of them, COCO's crowd
};

struct Scene {
  uint64_t id = 0;
  Backdrop backdrop;
  std::vector<Thing> things;        // each noun at most once
  std::vector<Relation> relations;  // all that hold; the first is what the scene was made for
  std::vector<size_t> order;        // of painting, far to near; contents of a holder are left out
  std::optional<Relation> holding;  // the one kInside, if any
};

struct SceneRules {
  uint64_t seed = 0;
  size_t min_things = 2;
  size_t max_things = 5;
  // With habits a pair of nouns keeps to one direction in all scenes (the cat is always left of the
  // dog, never right of it), so that builders find predicates that a pair never has. Training
  // scenes have none: there is nothing to learn by heart.
  bool has_habits = false;
  bool has_crowds = false;
  // What the scene is made for; empty: drawn by weight.
  std::optional<Predicate> predicate = {};
  // Both things of the pair can stand on either side of the predicate, so that a reversed scene,
  // with the same things and the roles exchanged, can be drawn beside it (direction_pair.h).
  bool is_reversible = false;
  bool is_reversed = false;
};

// Equal for equal arguments, on every machine and thread. Safe from many threads.
Scene draw_scene(const SceneRules& rules, uint64_t id);

// Which of two nouns comes first on an axis, or acts, by habit.
enum class UsualOrder : uint8_t { kHorizontal, kVertical, kDepth, kActor };
bool is_usual_order(size_t first_noun, size_t second_noun, UsualOrder order);

// The spatial relation that the boxes of two things show, when it is clear: their extents are apart
// (they share at most a quarter of the smaller one) and the distance along that axis is at least
// 1.2 times the other.
std::optional<Predicate> shown_between(const Box& subject, const Box& object);
// The same of two things: of two that stand on one ground the farther one is not above the other.
std::optional<Predicate> shown_between(const Thing& subject, const Thing& object);

// Width over height of a thing in its look.
double aspect_of(size_t noun, const Look& look);

}  // namespace snellen::eyechart
