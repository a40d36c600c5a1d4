// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/polygon.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace snellen::media {
namespace {

constexpr double kScale = 5;
constexpr int kFine = 5;
constexpr double kMostCoordinate = 1e6;

// The reference walks every fine step of every edge and keeps a step where fine x goes from 5X+2 to
// 5X+3 or back: the centre of pixel column X. We go straight to those steps; the sums that decide y
// are the same ones in the same order, so that rounding agrees.
class Crossings {
 public:
  Crossings(int height, int width, uint64_t limit)
      : height_(height), width_(width), limit_(limit) {}

  // False when the limit is exceeded.
  bool add_edge(int xs, int ys, int xe, int ye) {
    int dx = std::abs(xe - xs);
    int dy = std::abs(ye - ys);
    bool is_flipped = (dx >= dy && xs > xe) || (dx < dy && ys > ye);
    if (is_flipped) {
      std::swap(xs, xe);
      std::swap(ys, ye);
    }
    // Columns X with both 5X+2 and 5X+3 between the ends.
    int low = std::min(xs, xe);
    int high = std::max(xs, xe);
    int first = std::max(0, ceil_div(low - 2));
    int last = std::min(width_ - 1, floor_div(high - 3));
    if (first > last) return true;
    if (positions_.size() + static_cast<uint64_t>(last - first + 1) > limit_) return false;
    if (dx >= dy) {
      double slope = static_cast<double>(ye - ys) / dx;
      for (int column = first; column <= last; ++column) {
        int t = kFine * column + 2 - xs;
        add(column, std::min(stepped(ys, slope, t), stepped(ys, slope, t + 1)));
      }
    } else {
      add_steep(first, last, xs, ys, xe, dy);
    }
    return true;
  }

  std::vector<uint32_t>& positions() { return positions_; }

 private:
  static int ceil_div(int n) { return n > 0 ? (n + kFine - 1) / kFine : 0; }
  static int floor_div(int n) { return n >= 0 ? n / kFine : -1; }

  static int stepped(int start, double slope, int t) {
    return static_cast<int>(start + slope * t + .5);
  }

  void add_steep(int first, int last, int xs, int ys, int xe, int dy) {
    double slope = static_cast<double>(xe - xs) / dy;
    bool is_rising = slope > 0;
    for (int column = first; column <= last; ++column) {
      // The first step at which x has passed the column's centre.
      int target = is_rising ? kFine * column + 3 : kFine * column + 2;
      auto has_passed = [&](int t) {
        int x = stepped(xs, slope, t);
        return is_rising ? x >= target : x <= target;
      };
      double guess = (target + (is_rising ? -.5 : .5) - xs) / slope;
      int t = std::clamp(static_cast<int>(guess), 1, dy);
      while (t < dy && !has_passed(t)) ++t;
      while (t > 1 && has_passed(t - 1)) --t;
      add(column, ys + t - 1);  // the smaller y of the two steps
    }
  }

  void add(int column, int fine_y) {
    double y = (static_cast<double>(fine_y) + .5) / kScale - .5;
    y = std::ceil(std::clamp(y, 0.0, static_cast<double>(height_)));
    positions_.push_back(static_cast<uint32_t>(column) * static_cast<uint32_t>(height_) +
                         static_cast<uint32_t>(y));
  }

  int height_;
  int width_;
  uint64_t limit_;
  std::vector<uint32_t> positions_;
};

Error polygon_error(std::string what) {
  return Error{ErrorCode::kInvalidInput,
               std::move(what),
               "polygon",
               "a polygon is a flat list x0, y0, x1, y1, ... in pixels"};
}

// Positions where the colour changes, sorted, to run lengths; two changes at one place cancel.
std::vector<uint32_t> runs_of(std::vector<uint32_t>& positions, uint32_t num_pixels) {
  std::sort(positions.begin(), positions.end());
  positions.push_back(num_pixels);
  std::vector<uint32_t> runs;
  runs.reserve(positions.size());
  uint32_t before = 0;
  bool joins_next = false;
  for (size_t i = 0; i < positions.size(); ++i) {
    uint32_t run = positions[i] - before;
    before = positions[i];
    if (joins_next) {
      runs.back() += run;
      joins_next = false;
    } else if (run > 0 || i == 0) {
      runs.push_back(run);
    } else {
      joins_next = true;
    }
  }
  return runs;
}

}  // namespace

Result<Rle> rle_of_polygon(std::span<const double> xy,
                           int64_t height,
                           int64_t width,
                           const MaskLimits& limits) {
  Result<uint64_t> pixels = checked_mask_pixels(height, width, limits);
  if (!pixels) return pixels.error();
  if (xy.size() % 2 != 0 || xy.size() < 6)
    return polygon_error(fmt::format("{} coordinates do not make a polygon", xy.size()));
  std::vector<int> fine;
  fine.reserve(xy.size());
  for (double coordinate : xy) {
    if (!(std::abs(coordinate) <= kMostCoordinate))
      return polygon_error(
          fmt::format("coordinate {} is outside +-{:.0f}", coordinate, kMostCoordinate));
    fine.push_back(static_cast<int>(kScale * coordinate + .5));
  }
  Crossings crossings(static_cast<int>(height), static_cast<int>(width), limits.max_crossings);
  for (size_t i = 0; i < fine.size(); i += 2) {
    size_t next = i + 2 < fine.size() ? i + 2 : 0;
    if (!crossings.add_edge(fine[i], fine[i + 1], fine[next], fine[next + 1]))
      return polygon_error(
          fmt::format("its edges cross more than {} columns", limits.max_crossings));
  }
  return Rle{.height = static_cast<int>(height),
             .width = static_cast<int>(width),
             .counts = runs_of(crossings.positions(), static_cast<uint32_t>(*pixels))};
}

}  // namespace snellen::media
