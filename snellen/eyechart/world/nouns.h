// SPDX-License-Identifier: Apache-2.0
// The things of the world: their names, what they can do and bear, and how they are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "snellen/eyechart/draw/look.h"
#include "snellen/eyechart/draw/sketch.h"

namespace snellen::eyechart {

// What a thing can be part of; a set of bits.
enum Ability : uint32_t {
  kActs = 1U << 0,       // moves by itself: may chase, push, look at
  kLives = 1U << 1,      // an animal or a person
  kPatterned = 1U << 2,  // may be striped, spotted, checkered
  kMade = 1U << 3,       // may be wooden, metal, plastic or stone
  kGlassy = 1U << 4,     // may also be glass
  kFormed = 1U << 5,     // may be round, square or triangular
  kBears = 1U << 6,      // things stand on its top
  kHolds = 1U << 7,      // things are put into its hollow
  kShelters = 1U << 8,   // things stand under it
  kOpens = 1U << 9,      // state: closed 0 to open 1
  kFills = 1U << 10,     // state: empty 0 to full 1
  kLights = 1U << 11,    // state: unlit 0 to lit 1
  kFixedColour = 1U << 12,
  kFlies = 1U << 13,
  kRolls = 1U << 14,   // a ball: bounces and rolls
  kIndoor = 1U << 15,  // at home in a room; others are at home outside, or anywhere
  kOutdoor = 1U << 16,
  kWritten = 1U << 17,  // never seen in a mirror
};

using DrawThing = void (*)(Sketch& sketch, const Look& look);

struct Noun {
  std::string_view name;  // COCO's where COCO has it
  std::string_view plural;
  std::string_view usual_colour;
  double size;  // longest side as a share of the picture, for a medium one
  uint32_t abilities;
  Box hollow;  // of kHolds: where things go in; of kShelters: where they stand; on the grid
  double top;  // of kBears: the height at which things stand, on the grid
  DrawThing draw;

  bool can(uint32_t ability) const { return (abilities & ability) == ability; }
};

// All nouns, in a fixed order: an index names a noun in scenes.
std::span<const Noun> nouns();
std::optional<size_t> noun_index(std::string_view name);

// Tools and effects that appear in clips only and are no nouns of the world.
enum class Prop : uint8_t { kHammer, kSprayBottle, kDrops, kScales, kTape };
// What stands for a prop where an index of a noun is asked for.
size_t prop_index(Prop prop);

// The drawing of a noun, or a prop, in a look.
Sketch sketch_of(size_t noun, const Look& look);

}  // namespace snellen::eyechart
