// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/gender_polarity.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

using Vectors = std::map<std::string, std::vector<double>>;

TEST(GenderPolarity, IsTheMeanCosineOverTokens) {
  GenderAxis axis(Vectors{{"she", {0, 1}}, {"he", {0, -1}}, {"nurse", {3, 4}}, {"nil", {0, 0}}},
                  "toy");
  EXPECT_DOUBLE_EQ(axis.polarity_of_word("nurse"), 0.8);
  EXPECT_DOUBLE_EQ(*axis.polarity("She \t Nurse"), 0.9);
  EXPECT_DOUBLE_EQ(*axis.polarity("he. nil"), 0);  // punctuation is not stripped
}

TEST(GenderPolarity, ATextWithoutTokensHasNone) {
  GenderAxis axis(Vectors{{"she", {0, 1}}, {"he", {1, 0}}}, "toy");
  EXPECT_FALSE(axis.polarity(" \n"));
}

TEST(GenderPolarity, NeedsSheAndHe) {
  EXPECT_THROW(GenderAxis(Vectors{{"she", {0, 1}}}, "toy"), Error);
  EXPECT_THROW(GenderAxis(Vectors{{"she", {0, 1}}, {"he", {0, 1}}}, "toy"), Error);
}

}  // namespace
}  // namespace snellen::metrics
