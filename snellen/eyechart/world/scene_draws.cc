// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/scene_draws.h"

#include <algorithm>
#include <array>

#include "snellen/base/error.h"

namespace snellen::eyechart {
namespace {

struct Weighted {
  Predicate predicate;
  uint64_t weight;
};

constexpr std::array kWeights = {
    Weighted{Predicate::kLeftOf, 11},
    Weighted{Predicate::kRightOf, 11},
    Weighted{Predicate::kAbove, 8},
    Weighted{Predicate::kBelow, 8},
    Weighted{Predicate::kOn, 9},
    Weighted{Predicate::kInside, 8},
    Weighted{Predicate::kUnder, 6},
    Weighted{Predicate::kBehind, 6},
    Weighted{Predicate::kInFrontOf, 6},
    Weighted{Predicate::kChasing, 5},
    Weighted{Predicate::kFollowing, 4},
    Weighted{Predicate::kPushing, 4},
    Weighted{Predicate::kPulling, 4},
    Weighted{Predicate::kLookingAt, 4},
    Weighted{Predicate::kJumpingOver, 3},
    Weighted{Predicate::kKicking, 3},
};

size_t colour_index(std::string_view name) {
  const auto* const found = std::find_if(
      kColours.begin(), kColours.end(), [&](const NamedColour& c) { return c.name == name; });
  SNELLEN_CHECK(found != kColours.end());
  return static_cast<size_t>(found - kColours.begin());
}

}  // namespace

size_t draw_noun(Rng& rng, const std::function<bool(const Noun&)>& passes) {
  const auto all = nouns();
  // The square of a uniform draw prefers low places; the order is mixed so that animals, which come
  // first in the table, are not the common ones.
  for (int attempt = 0; attempt < 512; ++attempt) {
    const double u = rng.u01();
    const auto place =
        static_cast<size_t>((0.45 * u + 0.55 * u * u) * static_cast<double>(all.size()));
    const size_t index = place * 29 % all.size();
    if (passes(all[index])) return index;
  }
  for (size_t i = 0; i < all.size(); ++i) {
    if (passes(all[i])) return i;
  }
  throw Error{ErrorCode::kInternal, "no noun passes"};
}

Look draw_look(Rng& rng, const Noun& noun) {
  Look look;
  const bool is_usual = noun.can(kFixedColour) || rng.below(100) < 30;
  look.colour = is_usual ? colour_index(noun.usual_colour) : rng.below(kColours.size());
  const uint64_t size = rng.below(100);
  look.size = size < 25 ? Size::kSmall : size < 50 ? Size::kLarge : Size::kMedium;
  const uint64_t kind = rng.below(100);
  if (noun.can(kMade) && kind < 30) {
    const uint64_t count = noun.can(kGlassy) ? 5 : 3;
    const uint64_t drawn = rng.below(count);
    look.material = drawn == 3   ? Material::kGlass
                    : drawn == 4 ? Material::kStone
                                 : static_cast<Material>(1 + drawn);
    // Plastic is dyed: gray would be taken for metal, brown for wood.
    constexpr uint64_t kDyes = 7;
    if (look.material == Material::kPlastic && !noun.can(kFixedColour))
      look.colour = rng.below(kDyes);
  } else if (noun.can(kPatterned) && kind < 65) {
    look.pattern = static_cast<Pattern>(1 + rng.below(3));
  }
  if (noun.can(kFormed)) look.form = static_cast<Form>(1 + rng.below(3));
  if (noun.can(kOpens) || noun.can(kFills) || noun.can(kLights)) {
    look.state = static_cast<double>(rng.below(2));
  }
  return look;
}

Predicate draw_predicate(Rng& rng) {
  uint64_t total = 0;
  for (const Weighted& one : kWeights) total += one.weight;
  uint64_t drawn = rng.below(total);
  for (const Weighted& one : kWeights) {
    if (drawn < one.weight) return one.predicate;
    drawn -= one.weight;
  }
  return Predicate::kLeftOf;
}

bool can_be_subject(const Noun& noun, Predicate predicate) {
  switch (predicate) {
    case Predicate::kChasing:
    case Predicate::kFollowing:
    case Predicate::kPushing:
    case Predicate::kPulling:
      return noun.can(kActs);
    case Predicate::kLookingAt:
    case Predicate::kJumpingOver:
    case Predicate::kKicking:
      return noun.can(kLives);
    case Predicate::kOn:
    case Predicate::kInside:
    case Predicate::kUnder:
      return noun.size < 0.43;
    default:
      return true;
  }
}

bool can_be_object(const Noun& noun, Predicate predicate) {
  switch (predicate) {
    case Predicate::kOn:
      return noun.can(kBears);
    case Predicate::kInside:
      return noun.can(kHolds);
    case Predicate::kUnder:
      return noun.can(kShelters);
    case Predicate::kChasing:
    case Predicate::kFollowing:
      return noun.can(kActs) || noun.can(kRolls);
    default:
      return true;
  }
}

}  // namespace snellen::eyechart
