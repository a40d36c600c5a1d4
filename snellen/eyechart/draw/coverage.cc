// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/coverage.h"

#include <algorithm>
#include <cmath>

namespace snellen::eyechart {

void Coverage::fill(const Shape& shape, const Box& frame) {
  const Box box = box_of(shape);
  const double x0 = std::max(std::floor(box.x0), frame.x0);
  const double y0 = std::max(std::floor(box.y0), frame.y0);
  const double x1 = std::min(std::ceil(box.x1), frame.x1);
  const double y1 = std::min(std::ceil(box.y1), frame.y1);
  width_ = height_ = 0;
  if (!(x1 > x0) || !(y1 > y0)) return;
  left_ = static_cast<int>(x0);
  top_ = static_cast<int>(y0);
  width_ = static_cast<int>(x1 - x0);
  height_ = static_cast<int>(y1 - y0);
  stride_ = static_cast<size_t>(width_) + 2;  // an edge may spill two cells to the right
  cover_.assign(stride_ * static_cast<size_t>(height_), 0.0F);
  for (const Contour& contour : shape) {
    for (size_t i = 0; i < contour.size(); ++i) {
      add_edge(contour[i], contour[(i + 1) % contour.size()]);
    }
  }
  for (int y = 0; y < height_; ++y) {
    float* row = cover_.data() + static_cast<size_t>(y) * stride_;
    float sum = 0;
    for (int x = 0; x < width_; ++x) {
      sum += row[x];
      row[x] = std::min(std::abs(sum), 1.0F);
    }
  }
}

// One edge, row by row. What lies left of the frame counts at its left border, what lies right of
// it is not seen.
void Coverage::add_edge(Point from, Point to) {
  from = {from.x - left_, from.y - top_};
  to = {to.x - left_, to.y - top_};
  if (from.y == to.y) return;
  const double direction = from.y < to.y ? 1 : -1;
  if (from.y > to.y) std::swap(from, to);
  const double slope = (to.x - from.x) / (to.y - from.y);
  const int first = std::max(0, static_cast<int>(std::floor(from.y)));
  const int last = std::min(height_ - 1, static_cast<int>(std::ceil(to.y)) - 1);
  for (int y = first; y <= last; ++y) {
    const double begin = std::max(from.y, static_cast<double>(y));
    const double end = std::min(to.y, static_cast<double>(y) + 1);
    if (end <= begin) continue;
    add_span(cover_.data() + static_cast<size_t>(y) * stride_,
             std::clamp(from.x + (begin - from.y) * slope, 0.0, static_cast<double>(width_)),
             std::clamp(from.x + (end - from.y) * slope, 0.0, static_cast<double>(width_)),
             direction * (end - begin));
  }
}

// The area right of an edge piece inside one row, as differences along the row.
void Coverage::add_span(float* row, double x_from, double x_to, double height) {
  const double x0 = std::min(x_from, x_to);
  const double x1 = std::max(x_from, x_to);
  const int first = static_cast<int>(std::floor(x0));
  const int end = static_cast<int>(std::ceil(x1));
  if (end <= first + 1) {
    const double share = 0.5 * (x0 + x1) - first;
    row[first] += static_cast<float>(height * (1 - share));
    row[first + 1] += static_cast<float>(height * share);
    return;
  }
  // The edge crosses cells: each takes the integral of what lies to its left.
  const double per_cell = 1 / (x1 - x0);
  double before = 0;
  for (int x = first; x < end; ++x) {
    const double cell_from = std::max(x0, static_cast<double>(x));
    const double cell_to = std::min(x1, static_cast<double>(x) + 1);
    const double done_at_start = (cell_from - x0) * per_cell;
    const double done_at_end = (cell_to - x0) * per_cell;
    const double covered = 0.5 * (done_at_start + done_at_end) * (cell_to - cell_from) +
                           done_at_end * (static_cast<double>(x) + 1 - cell_to);
    row[x] += static_cast<float>(height * (covered - before));
    before = covered;
  }
  row[end] += static_cast<float>(height * (1 - before));
}

}  // namespace snellen::eyechart
