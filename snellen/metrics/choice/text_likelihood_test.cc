// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/text_likelihood.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

TEST(TextLikelihood, DividesByTheScoredTokensAndCompatByAll) {
  const std::vector<double> log_probs = {-1.0, -2.0, -3.0};
  EXPECT_DOUBLE_EQ(perplexity(log_probs), std::exp(2.0));
  EXPECT_DOUBLE_EQ(perplexity_compat(log_probs), std::exp(1.5));
}

TEST(TextLikelihood, RefusesOneTokenAndCompatGivesOne) {
  EXPECT_THROW((void)perplexity({}), Error);
  EXPECT_DOUBLE_EQ(perplexity_compat({}), 1.0);
}

TEST(TextLikelihood, AveragesTheSoftmaxOverFrames) {
  // Frame 1: even; frame 2: 3 to 1.
  const std::vector<double> scores = mean_frame_softmax({{100.0, 100.0}, {std::log(3.0), 0.0}});
  EXPECT_NEAR(scores[0], 0.625, 1e-15);
  EXPECT_NEAR(scores[1], 0.375, 1e-15);
}

TEST(TextLikelihood, AveragesLikelihoodsBeforeTheExponential) {
  EXPECT_DOUBLE_EQ(frame_perplexity({{1.0}, {3.0}})[0], std::exp(2.0));
}

TEST(TextLikelihood, RefusesRaggedAndEmptyTables) {
  EXPECT_THROW((void)mean_frame_softmax({}), Error);
  EXPECT_THROW((void)mean_frame_softmax({{}}), Error);
  EXPECT_THROW((void)frame_perplexity({{1.0, 2.0}, {1.0}}), Error);
}

}  // namespace
}  // namespace snellen::metrics
