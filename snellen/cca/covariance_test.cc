// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/covariance.h"

#include <gtest/gtest.h>

namespace snellen::cca {
namespace {

Rows rows_of(std::initializer_list<std::initializer_list<double>> values) {
  return Rows(values);
}

TEST(Covariance, DividesByOneLessThanTheRows) {
  Covariance all(2);
  all.add(rows_of({{1, 2}, {3, 6}, {5, 4}}));
  EXPECT_DOUBLE_EQ(all.mean()(0), 3);
  EXPECT_DOUBLE_EQ(all.mean()(1), 4);
  const Eigen::MatrixXd covariance = all.sample_covariance();
  EXPECT_DOUBLE_EQ(covariance(0, 0), 4);
  EXPECT_DOUBLE_EQ(covariance(1, 1), 4);
  EXPECT_DOUBLE_EQ(covariance(0, 1), 2);
  EXPECT_DOUBLE_EQ(covariance(1, 0), 2);
}

TEST(Covariance, ComesToTheSameInParts) {
  srand(7);
  const Rows rows = Rows::Random(50, 4).array() + 1e4;
  Covariance whole(4);
  whole.add(rows);
  Covariance parts(4);
  parts.add(rows.topRows(13));
  Covariance rest(4);
  rest.add(rows.middleRows(13, 30));
  rest.add(rows.bottomRows(7));
  parts.merge(rest);
  EXPECT_EQ(parts.count(), 50);
  EXPECT_LT((whole.sample_covariance() - parts.sample_covariance()).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Covariance, CountsARowAsOftenAsItsWeight) {
  Covariance repeated(2);
  repeated.add(rows_of({{1, 2}, {1, 2}, {1, 2}, {4, 0}}));
  Covariance weighted(2);
  Eigen::VectorXd weights(2);
  weights << 3, 1;
  weighted.add(rows_of({{1, 2}, {4, 0}}), weights);
  EXPECT_LT((repeated.sample_covariance() - weighted.sample_covariance()).cwiseAbs().maxCoeff(),
            1e-14);
}

}  // namespace
}  // namespace snellen::cca
