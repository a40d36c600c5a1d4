// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "snellen/media/resample/resize.h"
#include "snellen/media/resample/weights.h"

namespace snellen::media {

struct ResizePass {
  bool is_vertical = false;
  Weights weights;  // its inputs are counted from the first one that the pass gets
};

// A resize as at most two passes over a part of the source. Without passes the part is the result.
struct ResizePlan {
  Rectangle input;  // of the source: nothing else is read
  std::vector<ResizePass> passes;
};

ResizePlan plan_passes(const Axis& across, const Axis& down, Filter filter, PassOrder order);

// For those who do the passes elsewhere than on the CPU. Nothing where a resize is not made of
// passes (nearest), or takes more weights than are worth keeping.
std::optional<ResizePlan> plan_resize(int width, int height, const ResizeTarget& target);

}  // namespace snellen::media
