// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/picture_check.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

namespace snellen::builders::probe_b {
namespace {

constexpr int kBlock = 8;
// Quality 95 changes noise, the worst case, by 3 to 4 levels on average.
constexpr double kMostMeanDifference = 10;
// A single block that is wrong shows more than JPEG ever does to one.
constexpr double kMostBlockDifference = 40;

struct Side {
  double sum = 0;
  double worst = 0;
  uint64_t num_blocks = 0;

  void add(double mean) {
    sum += mean;
    worst = std::max(worst, mean);
    ++num_blocks;
  }
  bool is_wrong() const {
    return num_blocks > 0 && (sum / static_cast<double>(num_blocks) > kMostMeanDifference ||
                              worst > kMostBlockDifference);
  }
};

double block_difference(const media::Image& a, const media::Image& b, int left, int top) {
  int64_t sum = 0;
  for (int y = top; y < top + kBlock; ++y) {
    const uint8_t* row_a = a.row(y).data() + 3 * static_cast<size_t>(left);
    const uint8_t* row_b = b.row(y).data() + 3 * static_cast<size_t>(left);
    for (int i = 0; i < 3 * kBlock; ++i) sum += std::abs(row_a[i] - row_b[i]);
  }
  return static_cast<double>(sum) / (3 * kBlock * kBlock);
}

}  // namespace

std::string difference_from(const media::Image& made,
                            const media::Image& picture,
                            const media::Mask& mask,
                            const media::Image& canvas) {
  if (made.width != picture.width || made.height != picture.height)
    return fmt::format("is {} x {} pixels, the source {} x {}",
                       made.width,
                       made.height,
                       picture.width,
                       picture.height);
  Side kept;
  Side filled;
  for (int top = 0; top + kBlock <= made.height; top += kBlock) {
    for (int left = 0; left + kBlock <= made.width; left += kBlock) {
      int num_marked = 0;
      for (int y = top; y < top + kBlock; ++y) {
        auto row = mask.row(y).subspan(static_cast<size_t>(left), kBlock);
        num_marked += static_cast<int>(std::count(row.begin(), row.end(), 1));
      }
      if (num_marked == kBlock * kBlock) kept.add(block_difference(made, picture, left, top));
      if (num_marked == 0) filled.add(block_difference(made, canvas, left, top));
    }
  }
  if (kept.is_wrong())
    return fmt::format("kept pixels differ from the source by up to {:.0f} levels", kept.worst);
  if (filled.is_wrong())
    return fmt::format("removed pixels differ from the filler by up to {:.0f} levels",
                       filled.worst);
  return {};
}

}  // namespace snellen::builders::probe_b
