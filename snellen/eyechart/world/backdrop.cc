// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/world/backdrop.h"

#include <algorithm>
#include <cmath>

#include "snellen/eyechart/world/backdrop_parts.h"

namespace snellen::eyechart {
namespace {

constexpr std::array<PlaceWords, kNumPlaces> kWords = {{
    {"meadow", "in a meadow", false},
    {"beach", "on a beach", false},
    {"snow", "in the snow", false},
    {"street", "on a street", false},
    {"desert", "in a desert", false},
    {"living room", "in a living room", true},
    {"kitchen", "in a kitchen", true},
    {"bedroom", "in a bedroom", true},
    {"office", "in an office", true},
}};

void paint_outdoors(BackdropPainter& painter, const Backdrop& backdrop) {
  painter.sky(backdrop.is_sunny);
  switch (backdrop.place) {
    case Place::kMeadow:
      painter.hills({0.45F, 0.62F, 0.48F}, 0.10);
      painter.ground({0.52F, 0.72F, 0.36F}, {0.36F, 0.58F, 0.26F}, 0.16F);
      painter.tufts({0.28F, 0.50F, 0.20F});
      break;
    case Place::kBeach:
      painter.sea();
      painter.ground({0.95F, 0.88F, 0.70F}, {0.86F, 0.75F, 0.54F}, 0.08F);
      break;
    case Place::kSnow:
      painter.hills({0.72F, 0.79F, 0.86F}, 0.13);
      painter.ground({0.90F, 0.93F, 0.97F}, {0.80F, 0.85F, 0.92F}, 0.05F);
      break;
    case Place::kStreet:
      painter.houses();
      painter.ground({0.62F, 0.62F, 0.63F}, {0.48F, 0.48F, 0.50F}, 0.07F);
      painter.road_marks();
      break;
    default:
      painter.hills({0.80F, 0.62F, 0.44F}, 0.09);
      painter.ground({0.90F, 0.74F, 0.50F}, {0.78F, 0.60F, 0.38F}, 0.10F);
      break;
  }
}

void paint_indoors(BackdropPainter& painter, const Backdrop& backdrop) {
  painter.wall();
  switch (backdrop.place) {
    case Place::kKitchen:
      painter.wall_tiles();
      painter.cupboards();
      painter.floor_tiles();
      break;
    case Place::kBedroom:
      painter.wallpaper();
      painter.window();
      painter.carpet();
      break;
    case Place::kOffice:
      painter.whiteboard();
      painter.shelves();
      painter.ground({0.60F, 0.63F, 0.66F}, {0.48F, 0.51F, 0.55F}, 0.10F);
      break;
    default:
      painter.picture();
      painter.planks();
      break;
  }
  painter.skirting();
}

}  // namespace

const PlaceWords& words_of(Place place) {
  return kWords.at(static_cast<size_t>(place));
}

Backdrop draw_backdrop(Rng& rng) {
  Backdrop backdrop;
  backdrop.place = static_cast<Place>(rng.below(kNumPlaces));
  backdrop.is_sunny = rng.below(3) != 0;
  backdrop.horizon = 0.46 + 0.16 * rng.u01();
  backdrop.salt = rng.next();
  return backdrop;
}

void paint_backdrop(Canvas& canvas, const Backdrop& backdrop) {
  BackdropPainter painter(canvas, backdrop);
  if (words_of(backdrop.place).is_indoor) {
    paint_indoors(painter, backdrop);
  } else {
    paint_outdoors(painter, backdrop);
  }
}

}  // namespace snellen::eyechart
