// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/column_means.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

const std::vector<MetricColumn> kColumns = {{.name = "acc", .is_share = true, .chance = 0.5},
                                            {.name = "conf"}};

std::vector<Measurement> measured(const ColumnMeans& means) {
  std::vector<Measurement> all;
  means.measure({}, all);
  return all;
}

TEST(ColumnMeans, CountsSharesTiesAndWhatIsUndefined) {
  ColumnMeans means("t/", kColumns, {0, 1}, /*resamples=*/false);
  means.add("a", std::vector<double>{1, 0.25}, 0b00);
  means.add("b", std::vector<double>{0, std::nan("")}, 0b01);
  std::vector<Measurement> all = measured(means);
  EXPECT_EQ(all[0].id, "t/acc");
  EXPECT_EQ(all[0].value, 0.5);
  EXPECT_EQ(all[0].ties, 1U);
  EXPECT_EQ(all[0].interval, "wilson");
  EXPECT_EQ(all[1].n, 1U);
  EXPECT_EQ(all[1].reason, "1 items with no defined value are left out");
}

TEST(ColumnMeans, ResamplesClustersWhenAsked) {
  ColumnMeans means("t/", kColumns, {0}, /*resamples=*/true);
  for (int i = 0; i < 8; ++i)
    means.add(i % 2 == 0 ? "a" : "b", std::vector<double>{i < 3 ? 1.0 : 0.0, 0}, 0);
  std::vector<Measurement> all = measured(means);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].interval, "cluster-bootstrap");
}

TEST(ColumnMeans, OfNothingAreUndefinedWithAReason) {
  ColumnMeans means("t/", kColumns, {0}, /*resamples=*/false);
  Measurement none = measured(means).front();
  EXPECT_TRUE(std::isnan(none.value));
  EXPECT_EQ(none.reason, "no item was scored");
}

}  // namespace
}  // namespace snellen::metrics
