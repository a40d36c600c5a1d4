// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "snellen/metrics/metric.h"

namespace snellen::metrics {
namespace {

TEST(PerplexityChoice, JudgesPerplexitiesThatWereTurnedAround) {
  const std::unique_ptr<Metric> metric = metric_named("perplexity-choice");
  EXPECT_TRUE(metric->facts().is_smaller_better);
  const std::vector<uint8_t> is_right = {0, 0, 1};
  const std::vector<uint8_t> is_asked = {1, 1, 1};
  const std::vector<double> turned = {-31.5, -20.25, -12.0};
  const Judged judged = metric->judge({{1, 3, is_right, is_asked}, turned});
  EXPECT_EQ(judged.values, std::vector<double>{1});
  EXPECT_DOUBLE_EQ(judged.margin, 8.25);
  EXPECT_DOUBLE_EQ(*metric->chance(0, {1, 3, is_right, is_asked}), 1.0 / 3);
}

}  // namespace
}  // namespace snellen::metrics
