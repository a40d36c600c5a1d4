// SPDX-License-Identifier: Apache-2.0
// How two things of a scene stand to each other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace snellen::eyechart {

enum class Predicate : uint8_t {
  kLeftOf,
  kRightOf,
  kAbove,
  kBelow,
  kOn,
  kUnder,
  kInside,
  kContaining,
  kBehind,
  kInFrontOf,
  // Directed actions, each with a sign of its own in the picture.
  kChasing,
  kFollowing,
  kPushing,
  kPulling,
  kLookingAt,
  kJumpingOver,
  kKicking,
};
inline constexpr size_t kNumPredicates = 17;
inline constexpr size_t kFirstAction = 10;

struct PredicateWords {
  std::string_view name;     // as Visual Genome would write it: "left of", "chasing"
  std::string_view clause;   // after a subject: "is to the left of", "chases"
  std::string_view passive;  // after the object: "has ... on its left"; empty: none
};

const PredicateWords& words_of(Predicate predicate);
std::optional<Predicate> predicate_of(std::string_view name);

constexpr bool is_action(Predicate predicate) {
  return static_cast<size_t>(predicate) >= kFirstAction;
}

// The predicate that holds of the exchanged pair; nothing for actions. What a thing is under is
// above it (a table over a cat), while what a thing is on is under it.
std::optional<Predicate> inverse_of(Predicate predicate);

// subject and object are places in Scene::things.
struct Relation {
  size_t subject = 0;
  size_t object = 0;
  Predicate predicate = Predicate::kLeftOf;

  bool operator==(const Relation&) const = default;
};

}  // namespace snellen::eyechart
