// SPDX-License-Identifier: Apache-2.0
// Two scenes of the same things in which one relation runs the one way and the other way: the cat
// chases the dog, and the dog chases the cat. What is true of the one is false of the other, so
// that every text is right as often as it is wrong, and words alone decide nothing.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// "left or right", "chasing" ...
inline constexpr size_t kNumDirectionKinds = 12;

// "subject predicate object", by nouns.
struct Statement {
  size_t subject = 0;
  Predicate predicate = Predicate::kLeftOf;
  size_t object = 0;

  bool operator==(const Statement&) const = default;
};

// Two statements, the first true of the first scene alone, the second of the second alone.
struct OppositeStatements {
  std::string_view category;  // "opposite": another predicate; "exchanged": another order
  std::array<Statement, 2> statements;
};

struct DirectionPair {
  std::string_view kind;
  std::array<Scene, 2> scenes;
  std::vector<OppositeStatements> opposites;  // one or two
};

// Pair number `index` of a world; the kinds take turns. Its scenes are none of draw_scene()'s with
// small ids. Safe from many threads.
DirectionPair draw_direction_pair(uint64_t seed, uint64_t index);

bool is_true(const Scene& scene, const Statement& statement);
// "A photo of a cat left of dog."
std::string relation_prompt(const Statement& statement);

}  // namespace snellen::eyechart
