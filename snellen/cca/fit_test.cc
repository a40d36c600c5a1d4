// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/fit.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::cca {
namespace {

// Two views of three columns; the first columns agree but for noise.
Rows two_views(int64_t count) {
  srand(3);
  Rows rows = Rows::Random(count, 6);
  rows.col(3) = rows.col(0) + 0.1 * Eigen::VectorXd::Random(count);
  return rows;
}

Covariance covariance_of(const Rows& rows) {
  Covariance covariance(rows.cols());
  covariance.add(rows);
  return covariance;
}

TEST(Fit, GivesOnePlusTheCorrelationForTwoViews) {
  const Rows rows = two_views(500);
  const Projections found = fit(covariance_of(rows), {3, 3}, {.num_dimensions = 6});
  EXPECT_GT(found.eigenvalues(0), 1.97);
  // 1 + rho, then 1 - rho: they come in pairs.
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(found.eigenvalues(i) + found.eigenvalues(5 - i), 2.0, 1e-9);
}

TEST(Fit, ScalesStackedVectorsToOneAndMakesTheirLargestComponentPositive) {
  const Projections found = fit(covariance_of(two_views(200)), {3, 3}, {.num_dimensions = 4});
  for (int64_t i = 0; i < 4; ++i) {
    Eigen::VectorXd stacked(6);
    stacked << found.views[0].weights.col(i), found.views[1].weights.col(i);
    EXPECT_NEAR(stacked.norm(), 1.0, 1e-12);
    Eigen::Index largest = 0;
    stacked.cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(stacked(largest), 0);
  }
}

TEST(Fit, CentresWhatItProjectsByTheTrainingMean) {
  const Rows rows = two_views(200).array() + 5.0;
  const Projections found = fit(covariance_of(rows), {3, 3}, {.num_dimensions = 3});
  const Rows projected = found.project(0, rows.leftCols(3), /*power=*/1);
  EXPECT_LT(projected.colwise().mean().cwiseAbs().maxCoeff(), 1e-12);
  const Rows uncentred = found.project(0, rows.leftCols(3), 1, /*is_centred=*/false);
  EXPECT_GT(uncentred.colwise().mean().cwiseAbs().maxCoeff(), 0.1);
}

TEST(Fit, FindsTheSameCorrelationsByMardiasMethod) {
  const Covariance covariance = covariance_of(two_views(500));
  const Projections usual = fit(covariance, {3, 3}, {.num_dimensions = 3});
  const Projections other =
      fit(covariance, {3, 3}, {.num_dimensions = 3, .method = Method::kMardia, .ridge = 0});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(usual.eigenvalues(i), 1 + other.eigenvalues(i), 1e-9);
}

TEST(Fit, RaisesEpsForAConstantColumn) {
  Rows rows = two_views(100);
  rows.col(1).setConstant(2);
  const Projections found = fit(covariance_of(rows), {3, 3}, {.num_dimensions = 2});
  EXPECT_TRUE(found.views[0].weights.allFinite());
  EXPECT_GE(found.eps, 1e-12);
}

TEST(Fit, RefusesMoreDimensionsThanThereAre) {
  EXPECT_THROW(fit(covariance_of(two_views(100)), {3, 3}, {.num_dimensions = 7}), Error);
  EXPECT_THROW(fit(Covariance(6), {3, 3}, {.num_dimensions = 2}), Error);
}

TEST(Cosine, IsZeroForAZeroRow) {
  Eigen::RowVectorXd zero = Eigen::RowVectorXd::Zero(2);
  Eigen::RowVectorXd one(2);
  one << 3, 4;
  EXPECT_EQ(cosine(zero, one), 0);
  EXPECT_DOUBLE_EQ(cosine(one, one), 1);
}

}  // namespace
}  // namespace snellen::cca
