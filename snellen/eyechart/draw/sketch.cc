// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/sketch.h"

namespace snellen::eyechart {

void Sketch::eye(double x, double y, double radius) {
  fixed(kInkBlack, oval(x, y, radius, radius * 1.15));
  fixed(kPaper, oval(x + radius * 0.3, y - radius * 0.4, radius * 0.36, radius * 0.36));
}

Box Sketch::box() const {
  Box box = empty_box();
  for (const Part& part : parts_) {
    // What is not seen at all is there to keep the box.
    const bool is_light = part.opacity > 0 && part.opacity < kFaint;
    if (!is_light) box = around(box, box_of(part.shape));
  }
  return box;
}

}  // namespace snellen::eyechart
