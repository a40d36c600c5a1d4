// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/nouns.h"

#include <algorithm>
#include <array>

#include "snellen/base/error.h"
#include "snellen/eyechart/draw/drawings/drawings.h"

namespace snellen::eyechart {
namespace {

constexpr uint32_t kAnimal = kActs | kLives;
constexpr uint32_t kCloth = kPatterned;
constexpr uint32_t kWare = kPatterned | kMade;  // crockery and furniture
constexpr Box kNone{};

// clang-format off
constexpr std::array kNouns = {
    Noun{"person", "people", "blue", 0.42, kAnimal | kPatterned, kNone, 0, draw_person},
    Noun{"cat", "cats", "orange", 0.33, kAnimal | kPatterned, kNone, 0, draw_cat},
    Noun{"dog", "dogs", "brown", 0.36, kAnimal | kPatterned, kNone, 0, draw_dog},
    Noun{"bird", "birds", "blue", 0.30, kAnimal | kFlies | kOutdoor, kNone, 0, draw_bird},
    Noun{"horse", "horses", "brown", 0.42, kAnimal | kOutdoor, kNone, 0, draw_horse},
    Noun{"sheep", "sheep", "white", 0.36, kAnimal | kOutdoor, kNone, 0, draw_sheep},
    Noun{"cow", "cows", "white", 0.40, kAnimal | kOutdoor, kNone, 0, draw_cow},
    Noun{"elephant", "elephants", "gray", 0.44, kAnimal | kPatterned | kOutdoor, kNone, 0, draw_elephant},
    Noun{"bear", "bears", "brown", 0.40, kAnimal | kOutdoor, kNone, 0, draw_bear},
    Noun{"zebra", "zebras", "white", 0.42, kAnimal | kFixedColour | kOutdoor, kNone, 0, draw_zebra},
    Noun{"giraffe", "giraffes", "yellow", 0.46, kAnimal | kOutdoor, kNone, 0, draw_giraffe},
    Noun{"rabbit", "rabbits", "gray", 0.32, kAnimal | kPatterned, kNone, 0, draw_rabbit},
    Noun{"teddy bear", "teddy bears", "brown", 0.31, kCloth | kIndoor, kNone, 0, draw_teddy_bear},
    Noun{"bicycle", "bicycles", "red", 0.38, kOutdoor, kNone, 0, draw_bicycle},
    Noun{"car", "cars", "red", 0.40, kActs | kPatterned | kMade | kOutdoor, kNone, 0, draw_car},
    Noun{"airplane", "airplanes", "white", 0.40, kActs | kPatterned | kMade | kFlies | kOutdoor, kNone, 0, draw_airplane},
    Noun{"bus", "buses", "yellow", 0.44, kActs | kPatterned | kMade | kBears | kOutdoor, kNone, 30, draw_bus},
    Noun{"train", "trains", "green", 0.44, kActs | kMade | kOutdoor, kNone, 0, draw_train},
    Noun{"truck", "trucks", "blue", 0.44, kActs | kPatterned | kMade | kOutdoor, kNone, 0, draw_truck},
    Noun{"boat", "boats", "red", 0.40, kPatterned | kMade | kOutdoor, kNone, 0, draw_boat},
    Noun{"traffic light", "traffic lights", "yellow", 0.40, kMade | kOutdoor, kNone, 0, draw_traffic_light},
    Noun{"fire hydrant", "fire hydrants", "red", 0.32, kPatterned | kMade | kOutdoor, kNone, 0, draw_fire_hydrant},
    Noun{"stop sign", "stop signs", "red", 0.38, kOutdoor | kWritten, kNone, 0, draw_stop_sign},
    Noun{"bench", "benches", "brown", 0.42, kWare | kBears | kOutdoor, kNone, 66, draw_bench},
    Noun{"house", "houses", "tan", 0.46, kPatterned | kMade | kOutdoor, kNone, 0, draw_house},
    Noun{"tree", "trees", "green", 0.46, kShelters | kOutdoor, {8, 56, 42, 100}, 0, draw_tree},
    Noun{"backpack", "backpacks", "green", 0.32, kCloth, kNone, 0, draw_backpack},
    Noun{"umbrella", "umbrellas", "purple", 0.42, kCloth | kShelters | kOpens, {52, 52, 92, 100}, 0, draw_umbrella},
    Noun{"handbag", "handbags", "pink", 0.30, kCloth, kNone, 0, draw_handbag},
    Noun{"tie", "ties", "blue", 0.32, kCloth | kIndoor, kNone, 0, draw_tie},
    Noun{"suitcase", "suitcases", "brown", 0.34, kCloth | kMade | kBears, kNone, 28, draw_suitcase},
    Noun{"hat", "hats", "tan", 0.30, kCloth, kNone, 0, draw_hat},
    Noun{"shirt", "shirts", "blue", 0.34, kCloth | kIndoor, kNone, 0, draw_shirt},
    Noun{"sports ball", "sports balls", "white", 0.24, kRolls, kNone, 0, draw_sports_ball},
    Noun{"kite", "kites", "red", 0.36, kCloth | kFlies | kOutdoor, kNone, 0, draw_kite},
    Noun{"skateboard", "skateboards", "green", 0.34, kWare | kBears | kOutdoor, kNone, 76, draw_skateboard},
    Noun{"tennis racket", "tennis rackets", "red", 0.36, 0, kNone, 0, draw_tennis_racket},
    Noun{"balloon", "balloons", "red", 0.36, kPatterned | kFlies, kNone, 0, draw_balloon},
    Noun{"guitar", "guitars", "orange", 0.40, kPatterned | kMade | kIndoor, kNone, 0, draw_guitar},
    Noun{"drum", "drums", "red", 0.34, kWare | kIndoor, kNone, 0, draw_drum},
    Noun{"bottle", "bottles", "green", 0.34, kMade | kGlassy | kIndoor, kNone, 0, draw_bottle},
    Noun{"wine glass", "wine glasses", "red", 0.34, kFills | kIndoor, kNone, 0, draw_wine_glass},
    Noun{"cup", "cups", "white", 0.28, kWare | kGlassy | kFills | kIndoor, kNone, 0, draw_cup},
    Noun{"fork", "forks", "gray", 0.34, kMade | kIndoor, kNone, 0, draw_fork},
    Noun{"knife", "knives", "black", 0.34, kMade | kIndoor, kNone, 0, draw_knife},
    Noun{"spoon", "spoons", "gray", 0.34, kMade | kIndoor, kNone, 0, draw_spoon},
    Noun{"bowl", "bowls", "blue", 0.32, kWare | kGlassy | kHolds | kFills | kIndoor, {16, 20, 84, 62}, 0, draw_bowl},
    Noun{"banana", "bananas", "yellow", 0.28, 0, kNone, 0, draw_banana},
    Noun{"apple", "apples", "red", 0.25, kPatterned, kNone, 0, draw_apple},
    Noun{"carrot", "carrots", "orange", 0.30, 0, kNone, 0, draw_carrot},
    Noun{"pizza", "pizzas", "orange", 0.30, 0, kNone, 0, draw_pizza},
    Noun{"donut", "donuts", "pink", 0.27, 0, kNone, 0, draw_donut},
    Noun{"cake", "cakes", "brown", 0.31, kPatterned | kFormed | kIndoor, kNone, 0, draw_cake},
    Noun{"broccoli", "broccolis", "green", 0.28, 0, kNone, 0, draw_broccoli},
    Noun{"sandwich", "sandwiches", "tan", 0.30, 0, kNone, 0, draw_sandwich},
    Noun{"chair", "chairs", "brown", 0.40, kWare | kBears | kIndoor, kNone, 55, draw_chair},
    Noun{"couch", "couches", "blue", 0.44, kCloth | kBears | kIndoor, kNone, 66, draw_couch},
    Noun{"potted plant", "potted plants", "orange", 0.36, kWare, kNone, 0, draw_potted_plant},
    Noun{"bed", "beds", "purple", 0.46, kCloth | kBears | kIndoor, kNone, 60, draw_bed},
    Noun{"dining table", "dining tables", "brown", 0.46, kWare | kGlassy | kBears | kShelters | kIndoor, {22, 58, 78, 100}, 45, draw_dining_table},
    Noun{"toilet", "toilets", "white", 0.36, kWare | kIndoor, kNone, 0, draw_toilet},
    Noun{"tv", "tvs", "black", 0.38, kPatterned | kMade | kBears | kIndoor, kNone, 13, draw_tv},
    Noun{"laptop", "laptops", "gray", 0.34, kPatterned | kMade | kOpens | kIndoor, kNone, 0, draw_laptop},
    Noun{"keyboard", "keyboards", "black", 0.34, kMade | kIndoor, kNone, 0, draw_keyboard},
    Noun{"cell phone", "cell phones", "black", 0.28, kPatterned | kMade | kIndoor, kNone, 0, draw_cell_phone},
    Noun{"refrigerator", "refrigerators", "white", 0.44, kWare | kBears | kIndoor, kNone, 3, draw_refrigerator},
    Noun{"book", "books", "red", 0.29, kPatterned | kOpens, kNone, 0, draw_book},
    Noun{"clock", "clocks", "brown", 0.29, kWare | kFormed | kIndoor | kWritten, kNone, 0, draw_clock},
    Noun{"vase", "vases", "blue", 0.34, kWare | kGlassy | kIndoor, kNone, 0, draw_vase},
    Noun{"scissors", "scissors", "red", 0.29, kMade | kIndoor, kNone, 0, draw_scissors},
    Noun{"toothbrush", "toothbrushes", "green", 0.30, kMade | kIndoor, kNone, 0, draw_toothbrush},
    Noun{"lamp", "lamps", "yellow", 0.36, kWare | kLights | kIndoor, kNone, 0, draw_lamp},
    Noun{"candle", "candles", "purple", 0.32, kPatterned | kLights, kNone, 0, draw_candle},
    Noun{"box", "boxes", "tan", 0.38, kWare | kGlassy | kBears | kHolds | kOpens, {10, 10, 90, 70}, 37, draw_box},
    Noun{"basket", "baskets", "brown", 0.38, kPatterned | kHolds, {12, 16, 88, 72}, 0, draw_basket},
    Noun{"ladder", "ladders", "orange", 0.44, kMade, kNone, 0, draw_ladder},
    Noun{"key", "keys", "yellow", 0.27, kMade, kNone, 0, draw_key},
    Noun{"bell", "bells", "yellow", 0.30, kPatterned | kMade, kNone, 0, draw_bell},
    Noun{"pillow", "pillows", "pink", 0.30, kCloth | kFormed | kBears | kIndoor, kNone, 18, draw_pillow},
};
// clang-format on

// In the order of Prop.
constexpr std::array<DrawThing, 5> kProps = {
    draw_hammer, draw_spray_bottle, draw_drops, draw_scales, draw_tape};

}  // namespace

std::span<const Noun> nouns() {
  return kNouns;
}

std::optional<size_t> noun_index(std::string_view name) {
  const auto* const found = std::find_if(
      kNouns.begin(), kNouns.end(), [&](const Noun& noun) { return noun.name == name; });
  if (found == kNouns.end()) return std::nullopt;
  return static_cast<size_t>(found - kNouns.begin());
}

size_t prop_index(Prop prop) {
  return kNouns.size() + static_cast<size_t>(prop);
}

Sketch sketch_of(size_t noun, const Look& look) {
  SNELLEN_CHECK(noun < kNouns.size() + kProps.size());
  Sketch sketch;
  const DrawThing draw = noun < kNouns.size() ? kNouns[noun].draw : kProps[noun - kNouns.size()];
  draw(sketch, look);
  return sketch;
}

}  // namespace snellen::eyechart
