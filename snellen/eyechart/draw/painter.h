// SPDX-License-Identifier: Apache-2.0
// Turns a sketch in a look into a shaded layer: every part filled with smooth edges, then lit from
// the upper left as if the silhouette were a cushion, with a thin dark rim that keeps it apart from
// any background.
#pragma once

#include <cstddef>
#include <cstdint>

#include "snellen/eyechart/draw/canvas.h"
#include "snellen/eyechart/draw/look.h"
#include "snellen/eyechart/draw/sketch.h"

namespace snellen::eyechart {

// Which parts are wanted: of a container what lies behind things put into it, or what lies before.
enum class Parts : uint8_t { kAll, kBack, kFront };

struct PaintOptions {
  Affine place;       // from the drawing's grid to pixels
  uint64_t salt = 0;  // of grain and speckles
  Parts parts = Parts::kAll;
  bool is_shaded = true;  // false: flat parts only, quicker
};

// Nothing is clipped: the layer may reach beyond the canvas, but no further than 4,096 pixels from
// the origin. Safe from many threads.
Layer paint(const Sketch& sketch, const Look& look, const PaintOptions& options);

}  // namespace snellen::eyechart
