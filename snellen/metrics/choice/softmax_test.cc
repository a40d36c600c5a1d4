// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/softmax.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(Softmax, SumsToOneAndSurvivesHugeLogits) {
  std::vector<double> shares = softmax(std::vector<double>{1000.0, 1000.0, -1000.0});
  EXPECT_DOUBLE_EQ(shares[0], 0.5);
  EXPECT_DOUBLE_EQ(shares[2], 0.0);
  EXPECT_TRUE(softmax({}).empty());
}

TEST(SoftmaxFloat, RoundsTheLogitsFirst) {
  std::vector<float> shares = softmax_float(std::vector<double>{1.0, 1.0 + 1e-12});
  EXPECT_EQ(shares[0], shares[1]);
}

}  // namespace
}  // namespace snellen::metrics
