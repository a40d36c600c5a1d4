// SPDX-License-Identifier: Apache-2.0
// Points of a plane in cells of four, so that many far ones are taken as one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "snellen/stats/tsne.h"

namespace snellen::stats {

class TsneCells {
 public:
  explicit TsneCells(std::span<const Point2> points);

  // What all points but one at `place` push it by; `weight` is the sum of their kernels.
  struct Push {
    double x = 0;
    double y = 0;
    double weight = 0;
  };
  Push push(const Point2& place, double theta) const;

 private:
  struct Cell {
    Point2 middle;     // of the square
    double half = 0;   // of its side
    Point2 mean = {};  // of its points
    uint32_t count = 0;
    uint32_t first_child = 0;  // of four; 0: none
  };

  void add(const Point2& point);
  void split(uint32_t cell);
  uint32_t child_of(uint32_t cell, const Point2& point) const;

  std::vector<Cell> cells_;
};

}  // namespace snellen::stats
