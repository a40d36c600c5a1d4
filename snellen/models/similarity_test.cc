// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/similarity.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::models {
namespace {

Matrix rows(size_t num_rows, std::vector<float> values) {
  size_t num_columns = values.size() / num_rows;
  return {.num_rows = num_rows, .num_columns = num_columns, .values = std::move(values)};
}

TEST(Similarity, ScalesTheCosine) {
  Matrix scores = score_all(
      rows(2, {3, 4, 0, 2}), rows(1, {8, 6}), {.scale = 10, .bias = -1, .is_cosine = true});
  EXPECT_FLOAT_EQ(scores.values[0], 10 * 0.96F - 1);
  EXPECT_FLOAT_EQ(scores.values[1], 10 * 0.6F - 1);
}

TEST(Similarity, KeepsLengthsOfAPlainProduct) {
  Matrix scores = score_all(rows(1, {3, 4}), rows(1, {8, 6}), {.is_cosine = false});
  EXPECT_FLOAT_EQ(scores.values[0], 48);
}

TEST(Similarity, TakesTheBestVectorOfAPicture) {
  Matrix scores = score_all(
      rows(1, {0, 1, 1, 0, -1, 0}), rows(1, {2, 0}), {.is_cosine = true, .image_vectors = 3});
  EXPECT_FLOAT_EQ(scores.values[0], 1);
}

TEST(Similarity, LeavesAVectorOfZerosAlone) {
  Matrix scores = score_all(rows(1, {0, 0}), rows(1, {1, 0}), {.scale = 5});
  EXPECT_EQ(scores.values[0], 0);
}

TEST(MeanDirection, WeighsEveryPromptTheSame) {
  const Matrix rows{.num_rows = 2, .num_columns = 2, .values = {10, 0, 0, 0.5F}};
  const std::vector<double> direction = mean_direction(rows);
  EXPECT_NEAR(direction[0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(direction[1], std::sqrt(0.5), 1e-12);
}

TEST(MeanDirection, IsRefusedWhereThereIsNone) {
  EXPECT_THROW(mean_direction({.num_rows = 2, .num_columns = 1, .values = {1, -1}}), Error);
  EXPECT_THROW(mean_direction({.num_rows = 1, .num_columns = 2, .values = {0, 0}}), Error);
}

}  // namespace
}  // namespace snellen::models
