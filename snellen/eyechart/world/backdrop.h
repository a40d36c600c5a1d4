// SPDX-License-Identifier: Apache-2.0
// Where a scene takes place: rooms and landscapes without any thing of the world in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "snellen/base/rng.h"
#include "snellen/eyechart/draw/canvas.h"

namespace snellen::eyechart {

enum class Place : uint8_t {
  kMeadow,
  kBeach,
  kSnow,
  kStreet,
  kDesert,
  kLivingRoom,
  kKitchen,
  kBedroom,
  kOffice,
};
inline constexpr size_t kNumPlaces = 9;

struct PlaceWords {
  std::string_view name;    // "meadow"
  std::string_view phrase;  // "in a meadow"
  bool is_indoor;
};
const PlaceWords& words_of(Place place);

struct Backdrop {
  Place place = Place::kMeadow;
  bool is_sunny = true;   // outdoors: else cloudy
  double horizon = 0.55;  // where the ground begins, as a share of the height
  uint64_t salt = 0;      // of everything else that varies

  bool operator==(const Backdrop&) const = default;
};

Backdrop draw_backdrop(Rng& rng);
// Detail (clouds, hills, windows) is the same at every size.
void paint_backdrop(Canvas& canvas, const Backdrop& backdrop);

}  // namespace snellen::eyechart
