// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/view_rows.h"

#include <gtest/gtest.h>

namespace snellen::cca {
namespace {

TEST(ViewRows, GiveTheCovarianceOfTheRowsTheyStandFor) {
  srand(3);
  const Rows first = Rows::Random(5, 2).array() + 3;
  const Rows second = Rows::Random(4, 3);
  const Rows third = Rows::Random(3, 1);
  const std::vector<uint32_t> a = {0, 0, 3, 4, 4, 4, 1, 0};
  const std::vector<uint32_t> b = {1, 2, 3, 0, 0, 1, 3, 3};
  const std::vector<uint32_t> c = {0, 0, 0, 1, 1, 2, 2, 2};
  Rows stacked(8, 6);
  for (int64_t i = 0; i < 8; ++i) {
    const auto at = static_cast<size_t>(i);
    stacked.row(i) << first.row(a[at]), second.row(b[at]), third.row(c[at]);
  }
  Covariance want(6);
  want.add(stacked);
  auto view = [](const Rows& rows, const std::vector<uint32_t>& index) {
    return ViewRows{{rows.data(), rows.rows(), rows.cols()}, index};
  };
  const std::vector<ViewRows> views = {view(first, a), view(second, b), view(third, c)};
  const Covariance got = covariance_of(views, 2);
  EXPECT_EQ(got.count(), 8);
  EXPECT_LT((got.mean() - want.mean()).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((got.sample_covariance() - want.sample_covariance()).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(covariance_of(views, 1).sample_covariance(), got.sample_covariance());
}

// Three blocks of distinct rows, which any thread may finish first.
TEST(ViewRows, GiveTheSameBitsOnAnyNumberOfThreads) {
  srand(4);
  const Rows first = Rows::Random(5000, 3);
  const Rows second = Rows::Random(2500, 4).array() - 7;
  std::vector<uint32_t> a, b;
  Rows stacked(6000, 7);
  for (uint32_t i = 0; i < 6000; ++i) {
    a.push_back(i < 5000 ? i : i % 7);
    b.push_back(2499 - i * 13 % 2500);
    stacked.row(i) << first.row(a[i]), second.row(b[i]);
  }
  const std::vector<ViewRows> views = {{{first.data(), 5000, 3}, a}, {{second.data(), 2500, 4}, b}};
  const Covariance one = covariance_of(views, 1);
  Covariance want(7);
  want.add(stacked);
  EXPECT_LT((one.sample_covariance() - want.sample_covariance()).cwiseAbs().maxCoeff(), 1e-12);
  for (const unsigned threads : {2U, 5U}) {
    const Covariance many = covariance_of(views, threads);
    EXPECT_EQ(many.mean(), one.mean());
    EXPECT_EQ(many.sample_covariance(), one.sample_covariance());
  }
}

}  // namespace
}  // namespace snellen::cca
