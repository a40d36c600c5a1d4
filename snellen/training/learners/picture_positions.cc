// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/picture_positions.h"

#include <cmath>
#include <numbers>

namespace snellen::training {
namespace {

constexpr double kRootMeanSquare = 0.17;  // 1.5 times that of a learnt table
constexpr double kBase = 100;             // of the frequencies: from 1 to 1/100 a patch

}  // namespace

std::vector<float> picture_positions(int64_t num_rows, int64_t width) {
  const auto side = static_cast<int64_t>(std::lround(std::sqrt(static_cast<double>(num_rows - 1))));
  if (num_rows < 2 || side * side != num_rows - 1 || width < 4 || width % 4 != 0) return {};
  const int64_t num_frequencies = width / 4;
  const double height = kRootMeanSquare * std::numbers::sqrt2;
  std::vector<float> table(static_cast<size_t>(num_rows * width), 0.0F);
  for (int64_t row = 1; row < num_rows; ++row) {
    float* out = table.data() + row * width;
    for (const int64_t along : {(row - 1) % side, (row - 1) / side}) {
      for (int64_t k = 0; k < num_frequencies; ++k) {
        const double angle =
            static_cast<double>(along) *
            std::pow(kBase, -static_cast<double>(k) / static_cast<double>(num_frequencies));
        *out++ = static_cast<float>(height * std::sin(angle));
        *out++ = static_cast<float>(height * std::cos(angle));
      }
    }
  }
  return table;
}

}  // namespace snellen::training
