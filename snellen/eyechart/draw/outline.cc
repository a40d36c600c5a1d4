// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/draw/outline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace snellen::eyechart {
namespace {

using Loop = std::vector<PixelPoint>;

// Directions along pixel edges, clockwise: right, down, left, up.
constexpr std::array<PixelPoint, 4> kSteps = {{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}};

// The border edges of a mask, by the corner they start from: one bit per direction. Walking along
// them keeps marked pixels on the right.
class BorderEdges {
 public:
  explicit BorderEdges(const media::Mask& mask)
      : width_(mask.width + 1),
        height_(mask.height + 1),
        edges_(static_cast<size_t>(width_) * static_cast<size_t>(height_)) {
    auto is_marked = [&](int x, int y) {
      return x >= 0 && y >= 0 && x < mask.width && y < mask.height &&
             mask.row(y)[static_cast<size_t>(x)] != 0;
    };
    for (int y = 0; y < mask.height; ++y) {
      for (int x = 0; x < mask.width; ++x) {
        if (!is_marked(x, y)) continue;
        if (!is_marked(x, y - 1)) at({x, y}) |= 1U;
        if (!is_marked(x + 1, y)) at({x + 1, y}) |= 2U;
        if (!is_marked(x, y + 1)) at({x + 1, y + 1}) |= 4U;
        if (!is_marked(x - 1, y)) at({x, y + 1}) |= 8U;
      }
    }
  }

  // Walks one loop off the border; empty when none is left at or after the last start.
  Loop take_loop() {
    while (next_ < edges_.size() && edges_[next_] == 0) ++next_;
    if (next_ == edges_.size()) return {};
    const PixelPoint start{static_cast<int>(next_ % static_cast<size_t>(width_)),
                           static_cast<int>(next_ / static_cast<size_t>(width_))};
    Loop loop;
    PixelPoint here = start;
    int direction = first_direction(edges_[next_]);
    do {
      const int turned = next_direction(here, direction);
      if (loop.empty() || turned != direction) loop.push_back(here);
      direction = turned;
      at(here) &= static_cast<uint8_t>(~(1U << static_cast<unsigned>(direction)));
      here = {here.x + kSteps[static_cast<size_t>(direction)].x,
              here.y + kSteps[static_cast<size_t>(direction)].y};
    } while (!(here == start));
    return loop;
  }

 private:
  uint8_t& at(PixelPoint p) {
    return edges_[static_cast<size_t>(p.y) * static_cast<size_t>(width_) +
                  static_cast<size_t>(p.x)];
  }

  static int first_direction(uint8_t edges) {
    for (int d = 0; d < 4; ++d) {
      if ((edges >> static_cast<unsigned>(d) & 1U) != 0) return d;
    }
    return 0;
  }

  // Where two pieces touch corner to corner the right turn stays with the same piece.
  int next_direction(PixelPoint here, int incoming) {
    for (const int turn : {1, 0, 3}) {
      const int d = (incoming + turn) % 4;
      if ((at(here) >> static_cast<unsigned>(d) & 1U) != 0) return d;
    }
    return incoming;
  }

  int width_;
  int height_;
  std::vector<uint8_t> edges_;
  size_t next_ = 0;
};

int64_t doubled_area(const Loop& loop) {
  int64_t sum = 0;
  for (size_t i = 0; i < loop.size(); ++i) {
    const PixelPoint& a = loop[i];
    const PixelPoint& b = loop[(i + 1) % loop.size()];
    sum += static_cast<int64_t>(a.x) * b.y - static_cast<int64_t>(b.x) * a.y;
  }
  return sum;
}

double distance_to(const PixelPoint& p, const PixelPoint& a, const PixelPoint& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double length = std::hypot(dx, dy);
  if (length == 0) return std::hypot(p.x - a.x, p.y - a.y);
  return std::abs(dx * (p.y - a.y) - dy * (p.x - a.x)) / length;
}

// Douglas and Peucker 1973, between two kept points; a stack instead of recursion.
void keep_corners(
    const Loop& loop, size_t first, size_t last, double tolerance, std::vector<bool>& kept) {
  std::vector<std::pair<size_t, size_t>> open = {{first, last}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    double worst = tolerance;
    size_t farthest = from;
    for (size_t i = from + 1; i < to; ++i) {
      const double distance = distance_to(loop[i], loop[from], loop[to % loop.size()]);
      if (distance > worst) {
        worst = distance;
        farthest = i;
      }
    }
    if (farthest == from) continue;
    kept[farthest] = true;
    open.emplace_back(from, farthest);
    open.emplace_back(farthest, to);
  }
}

Loop simplified(const Loop& loop, double tolerance) {
  if (loop.size() <= 4) return loop;
  // Two far apart points divide the ring.
  size_t far = 0;
  int64_t best = -1;
  for (size_t i = 1; i < loop.size(); ++i) {
    const int64_t dx = loop[i].x - loop[0].x;
    const int64_t dy = loop[i].y - loop[0].y;
    if (dx * dx + dy * dy > best) {
      best = dx * dx + dy * dy;
      far = i;
    }
  }
  std::vector<bool> kept(loop.size());
  kept[0] = kept[far] = true;
  keep_corners(loop, 0, far, tolerance, kept);
  keep_corners(loop, far, loop.size(), tolerance, kept);
  Loop result;
  for (size_t i = 0; i < loop.size(); ++i) {
    if (kept[i]) result.push_back(loop[i]);
  }
  return result.size() >= 3 ? result : loop;
}

}  // namespace

std::vector<Loop> outlines_of(const media::Mask& mask, double tolerance, int min_pixels) {
  BorderEdges edges(mask);
  std::vector<std::pair<int64_t, Loop>> pieces;
  for (Loop loop = edges.take_loop(); !loop.empty(); loop = edges.take_loop()) {
    const int64_t area = doubled_area(loop);
    if (area >= 2 * static_cast<int64_t>(min_pixels)) pieces.emplace_back(area, std::move(loop));
  }
  std::stable_sort(
      pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Loop> result;
  result.reserve(pieces.size());
  for (const auto& [area, loop] : pieces) result.push_back(simplified(loop, tolerance));
  return result;
}

}  // namespace snellen::eyechart
