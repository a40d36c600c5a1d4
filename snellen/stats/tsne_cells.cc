// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/tsne_cells.h"

#include <algorithm>

namespace snellen::stats {
namespace {

constexpr int kDeepest = 48;  // points nearer than that share a cell

}  // namespace

TsneCells::TsneCells(std::span<const Point2> points) {
  Point2 low = points.front(), high = low;
  for (const Point2& point : points) {
    low = {std::min(low.x, point.x), std::min(low.y, point.y)};
    high = {std::max(high.x, point.x), std::max(high.y, point.y)};
  }
  cells_.reserve(points.size() * 3);
  cells_.push_back({.middle = {(low.x + high.x) / 2, (low.y + high.y) / 2},
                    .half = std::max({high.x - low.x, high.y - low.y, 1e-12}) / 2});
  for (const Point2& point : points) add(point);
}

uint32_t TsneCells::child_of(uint32_t cell, const Point2& point) const {
  const Cell& own = cells_[cell];
  return own.first_child + (point.x > own.middle.x ? 1U : 0U) + (point.y > own.middle.y ? 2U : 0U);
}

// What it holds, points at one place or too near to tell, moves to a child.
void TsneCells::split(uint32_t cell) {
  const auto first = static_cast<uint32_t>(cells_.size());
  const Cell own = cells_[cell];
  const double half = own.half / 2;
  for (uint32_t i = 0; i < 4; ++i)
    cells_.push_back({.middle = {own.middle.x + ((i & 1U) != 0 ? half : -half),
                                 own.middle.y + ((i & 2U) != 0 ? half : -half)},
                      .half = half});
  cells_[cell].first_child = first;
  Cell& child = cells_[child_of(cell, own.mean)];
  child.mean = own.mean;
  child.count = own.count;
}

void TsneCells::add(const Point2& point) {
  uint32_t at = 0;
  for (int depth = 0;; ++depth) {
    const bool is_leaf = cells_[at].first_child == 0;
    const bool is_same = cells_[at].mean.x == point.x && cells_[at].mean.y == point.y;
    if (is_leaf && cells_[at].count > 0 && !is_same && depth < kDeepest) split(at);
    Cell& cell = cells_[at];
    const auto count = static_cast<double>(++cell.count);
    cell.mean.x += (point.x - cell.mean.x) / count;
    cell.mean.y += (point.y - cell.mean.y) / count;
    if (cell.first_child == 0) return;
    at = child_of(at, point);
  }
}

TsneCells::Push TsneCells::push(const Point2& place, double theta) const {
  Push push;
  std::array<uint32_t, 4 * (kDeepest + 2)> open;  // NOLINT(*-member-init): filled as it goes
  size_t num_open = 0;
  open[num_open++] = 0;
  const double theta_squared = theta * theta;
  while (num_open > 0) {
    const Cell& cell = cells_[open[--num_open]];
    if (cell.count == 0) continue;
    const double dx = place.x - cell.mean.x, dy = place.y - cell.mean.y;
    const double squared = dx * dx + dy * dy;
    const bool is_far = 4 * cell.half * cell.half < theta_squared * squared;
    if (cell.first_child != 0 && !is_far) {
      for (uint32_t i = 0; i < 4; ++i) open[num_open++] = cell.first_child + i;
      continue;
    }
    const double kernel = 1 / (1 + squared);
    const double weight = static_cast<double>(cell.count) * kernel;
    push.weight += weight;
    push.x += weight * kernel * dx;
    push.y += weight * kernel * dy;
  }
  push.weight -= 1;  // the point itself
  return push;
}

}  // namespace snellen::stats
