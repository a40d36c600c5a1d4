// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/base/rng.h"
#include "snellen/eyechart/draw/canvas.h"
#include "snellen/eyechart/world/backdrop.h"

namespace snellen::eyechart {

// The pieces of a backdrop, painted one over the other. Each draws from a stream of its own.
class BackdropPainter {
 public:
  BackdropPainter(Canvas& canvas, const Backdrop& backdrop);

  void sky(bool is_sunny);
  void hills(Rgb colour, double height);
  void sea();
  void houses();
  // From the horizon down: far colour to near colour, with grain.
  void ground(Rgb far, Rgb near, float grain);
  void tufts(Rgb colour);
  void road_marks();

  void wall();
  void wall_tiles();
  void cupboards();
  // Small flowers in rows.
  void wallpaper();
  // A board with a chart on it, and files in a row.
  void whiteboard();
  void shelves();
  void window();
  void picture();
  void planks();
  void floor_tiles();
  void carpet();
  void skirting();

 private:
  Rng stream(const char* purpose) const;
  // A shape given in shares of width and height.
  void fill(const Shape& shape, Rgb colour, float opacity = 1);

  Canvas& canvas_;
  const Backdrop& backdrop_;
  int horizon_;  // row
};

}  // namespace snellen::eyechart
