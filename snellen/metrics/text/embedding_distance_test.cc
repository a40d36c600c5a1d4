// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/embedding_distance.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(EmbeddingDistance, KeepsEqualVectorsApart) {
  std::vector<double> ones(300, 1.0);
  EXPECT_NEAR(shifted_l2(ones, ones), 1e-6 * std::sqrt(300.0), 1e-12);
  EXPECT_NEAR(floored_cosine(ones, ones), 1.0, 1e-12);
}

TEST(EmbeddingDistance, GivesZeroCosineForAZeroVector) {
  std::vector<double> zeros(3, 0.0);
  std::vector<double> ones(3, 1.0);
  EXPECT_EQ(floored_cosine(zeros, ones), 0.0);
  EXPECT_EQ(floored_cosine(zeros, zeros), 0.0);
}

TEST(EmbeddingDistance, TakesTheMeanAndTheBestOverReferences) {
  std::vector<double> generation = {1, 0};
  std::vector<double> references = {1, 0, -1, 0, 0, 1};
  EmbeddingDistance distance = embedding_distance(generation, references);
  EXPECT_NEAR(distance.l2, (0 + 2 + std::sqrt(2.0)) / 3, 1e-5);
  EXPECT_NEAR(distance.cs, 0.0, 1e-12);
  EXPECT_NEAR(distance.l2_best, 0.0, 1e-5);
  EXPECT_NEAR(distance.cs_best, 1.0, 1e-12);
}

}  // namespace
}  // namespace snellen::metrics
