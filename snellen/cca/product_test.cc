// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/product.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace snellen::cca {
namespace {

template <typename T>
std::vector<T> wave(int64_t count, double step) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(std::sin(step * static_cast<double>(i))));
  return values;
}

template <typename T>
void compare(int64_t rows, int64_t columns, int64_t depth, double tolerance) {
  const std::vector<T> a = wave<T>(rows * depth, 0.7);
  const std::vector<T> b = wave<T>(columns * depth, 1.3);
  std::vector<T> out(static_cast<size_t>(rows * columns), T{1});
  // The second one lies transposed: depth by depth.
  multiply(Operand<T>{a.data(), rows, depth, 1},
           Operand<T>{b.data(), columns, 1, columns},
           depth,
           out.data(),
           columns,
           Into::kAdd);
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 1;
      for (int64_t d = 0; d < depth; ++d)
        sum += static_cast<double>(a[static_cast<size_t>(i * depth + d)]) *
               static_cast<double>(b[static_cast<size_t>(d * columns + j)]);
      EXPECT_NEAR(out[static_cast<size_t>(i * columns + j)], sum, tolerance);
    }
  }
}

TEST(Product, AddsUpAtEverySizeOfTiles) {
  // Sums of up to 800 numbers below 1: rounding of floats stays below 1e-4.
  for (const int64_t size : {1, 5, 13, 37}) {
    compare<float>(size, 2 * size + 1, 7 * size, 1e-4);
    compare<double>(size, 2 * size + 1, 7 * size, 1e-12);
  }
  compare<double>(3, 600, 800, 1e-11);
}

}  // namespace
}  // namespace snellen::cca
