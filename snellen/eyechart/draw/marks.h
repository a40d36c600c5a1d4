// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/eyechart/draw/canvas.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// The signs of an action, as comics draw them: speed lines behind who chases, a trail of footprints
// behind who follows, a rope to what is pulled, strokes where something is pushed or kicked, a line
// of sight, the arc of a jump. Each points from subject to object.
void paint_marks(Canvas& canvas, const Scene& scene);

}  // namespace snellen::eyechart
