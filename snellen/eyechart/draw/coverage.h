// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "snellen/eyechart/draw/geometry.h"

namespace snellen::eyechart {

// How much of each pixel a shape covers, 0 to 1, by exact areas (signed-area accumulation), so that
// edges are smooth at any angle. Reuse it: it keeps its memory. One thread at a time.
class Coverage {
 public:
  // The part of the pixel plane that the shape touches, limited to `frame`.
  void fill(const Shape& shape, const Box& frame);

  // Of the last fill; nothing when the shape lies outside.
  int left() const { return left_; }
  int top() const { return top_; }
  int width() const { return width_; }
  int height() const { return height_; }
  std::span<const float> row(int y) const {
    return {cover_.data() + static_cast<size_t>(y) * stride_, static_cast<size_t>(width_)};
  }

 private:
  void add_edge(Point from, Point to);
  void add_span(float* row, double x_from, double x_to, double height);

  int left_ = 0;
  int top_ = 0;
  int width_ = 0;
  int height_ = 0;
  size_t stride_ = 0;
  std::vector<float> cover_;
};

}  // namespace snellen::eyechart
