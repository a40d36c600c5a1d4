// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/relation.h"

#include "snellen/base/error.h"

namespace snellen::eyechart {
namespace {

constexpr std::array<PredicateWords, kNumPredicates> kWords = {{
    {"left of", "is to the left of", ""},
    {"right of", "is to the right of", ""},
    {"above", "is above", ""},
    {"below", "is below", ""},
    {"on", "is on", ""},
    {"under", "is under", ""},
    {"inside", "is inside", ""},
    {"containing", "contains", ""},
    {"behind", "is behind", ""},
    {"in front of", "is in front of", ""},
    {"chasing", "chases", "is chased by"},
    {"following", "follows", "is followed by"},
    {"pushing", "pushes", "is pushed by"},
    {"pulling", "pulls", "is pulled by"},
    {"looking at", "looks at", "is looked at by"},
    {"jumping over", "jumps over", ""},
    {"kicking", "kicks", "is kicked by"},
}};

}  // namespace

const PredicateWords& words_of(Predicate predicate) {
  return kWords.at(static_cast<size_t>(predicate));
}

std::optional<Predicate> predicate_of(std::string_view name) {
  for (size_t i = 0; i < kWords.size(); ++i) {
    if (kWords[i].name == name) return static_cast<Predicate>(i);
  }
  return std::nullopt;
}

std::optional<Predicate> inverse_of(Predicate predicate) {
  if (is_action(predicate)) return std::nullopt;
  // What shelters a thing is above it, not on it.
  if (predicate == Predicate::kUnder) return Predicate::kAbove;
  // Opposites are listed in pairs.
  return static_cast<Predicate>(static_cast<size_t>(predicate) ^ 1U);
}

}  // namespace snellen::eyechart
