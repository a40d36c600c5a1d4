// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/eyechart/draw/canvas.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// The signs of an action, as comics draw them: speed lines behind who chases or pushes, a trail of
// footprints behind who follows, a rope to what is pulled and strokes of effort over who pulls,
// strokes where something is pushed or kicked, an arrow of sight, the arc of a jump. Each tells
// subject from object by itself.
void paint_marks(Canvas& canvas, const Scene& scene);

}  // namespace snellen::eyechart
