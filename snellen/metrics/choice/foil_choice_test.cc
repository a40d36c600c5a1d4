// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/foil_choice.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/metrics/metric.h"

namespace snellen::metrics {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

double credit(std::vector<double> scores,
              FoilMode mode = FoilMode::kSimilarity,
              FoilTies ties = FoilTies::kFoil) {
  return decide_foil(scores, mode, ties).credit;
}

double compat_credit(std::vector<double> scores, FoilMode mode = FoilMode::kSimilarity) {
  return decide_foil_compat(scores, mode).credit;
}

TEST(FoilChoice, WantsTheCaptionAboveEveryFoil) {
  EXPECT_EQ(credit({2.0, 1.0}), 1.0);
  EXPECT_EQ(credit({2.0, 1.0, 3.0}), 0.0);
  EXPECT_EQ(credit({2.0, 1.0, 1.5}), 1.0);
  EXPECT_EQ(credit({2.0}), 1.0);
}

TEST(FoilChoice, TakesTheLowerPerplexity) {
  EXPECT_EQ(credit({20.0, 31.0, 25.0}, FoilMode::kPerplexity), 1.0);
  EXPECT_EQ(credit({20.0, 31.0, 19.0}, FoilMode::kPerplexity), 0.0);
  EXPECT_EQ(
      decide_foil(std::vector<double>{20.0, 31.0, 19.0}, FoilMode::kPerplexity, FoilTies::kFoil)
          .margin,
      -1.0);
}

TEST(FoilChoice, GivesATieToWhomTheRuleSays) {
  const std::vector<double> tied = {2.0, 2.0, 1.0};
  EXPECT_TRUE(decide_foil(tied, FoilMode::kSimilarity, FoilTies::kFoil).is_tied);
  EXPECT_EQ(credit(tied, FoilMode::kSimilarity, FoilTies::kFoil), 0.0);
  EXPECT_EQ(credit(tied, FoilMode::kSimilarity, FoilTies::kCaption), 1.0);
  EXPECT_EQ(credit(tied, FoilMode::kSimilarity, FoilTies::kHalf), 0.5);
}

TEST(FoilChoice, IsNoTieWhenAnotherFoilIsBetter) {
  const FoilDecision decision =
      decide_foil(std::vector<double>{2.0, 2.0, 3.0}, FoilMode::kSimilarity, FoilTies::kCaption);
  EXPECT_FALSE(decision.is_tied);
  EXPECT_EQ(decision.credit, 0.0);
}

TEST(FoilChoice, ComparesInDoubleAndCompatInFloat) {
  // 1 + 2^-30 is 1 in float32.
  const std::vector<double> close = {1.0, 1.0 + 0x1p-30};
  EXPECT_EQ(credit(close), 0.0);
  EXPECT_FALSE(decide_foil(close, FoilMode::kSimilarity, FoilTies::kFoil).is_tied);
  EXPECT_EQ(compat_credit(close), 1.0);
  EXPECT_TRUE(decide_foil_compat(close, FoilMode::kSimilarity).is_tied);
}

TEST(FoilChoice, CountsNanAsWrongAndCompatAsTheBest) {
  EXPECT_EQ(credit({kNan, 1.0}), 0.0);
  EXPECT_EQ(credit({1.0, kNan}), 0.0);
  EXPECT_EQ(compat_credit({kNan, 1.0}), 1.0);
  EXPECT_EQ(compat_credit({kNan, kNan}), 1.0);
  EXPECT_EQ(compat_credit({1.0, kNan}), 0.0);
  EXPECT_EQ(compat_credit({kNan, 1.0}, FoilMode::kPerplexity), 1.0);
  EXPECT_FALSE(
      decide_foil_compat(std::vector<double>{kNan, 1.0}, FoilMode::kSimilarity).margin.has_value());
}

TEST(FoilChoice, TiesInfinitiesInCompat) {
  EXPECT_EQ(compat_credit({-kInf, -kInf}), 1.0);
  EXPECT_EQ(decide_foil_compat(std::vector<double>{-kInf, -kInf}, FoilMode::kSimilarity).margin,
            0.0);
  EXPECT_EQ(compat_credit({1e300, 2e300}), 1.0);  // both are infinite in float32
}

TEST(FoilChoice, ChanceIsOneOverTheTexts) {
  EXPECT_DOUBLE_EQ(foil_chance(1), 0.5);
  EXPECT_DOUBLE_EQ(foil_chance(2), 1.0 / 3.0);
}

TEST(FoilChoice, ReadsItsOwnWords) {
  for (FoilMode mode : {FoilMode::kSimilarity, FoilMode::kProbability, FoilMode::kPerplexity}) {
    EXPECT_EQ(foil_mode_of(name_of(mode)), mode);
  }
  EXPECT_FALSE(foil_mode_of("likelihood").has_value());
}

std::unique_ptr<Metric> find_metric() {
  for (std::unique_ptr<Metric>& metric : built_in_metrics()) {
    if (metric->facts().name == "foil_choice") return std::move(metric);
  }
  return nullptr;
}

TEST(FoilChoice, IsInTheCatalogue) {
  const std::unique_ptr<Metric> metric = find_metric();
  ASSERT_NE(metric, nullptr);
  const std::vector<double> scores = {3.0, 1.0, 2.5};
  const std::vector<uint8_t> is_right = {1, 0, 0};
  const std::vector<uint8_t> is_asked(3, 1);
  EXPECT_EQ(metric->judge({{1, 3, is_right, is_asked}, scores}).values,
            (std::vector<double>{1.0, 0.5}));
  const std::vector<uint8_t> foil_first = {0, 1, 0};
  EXPECT_TRUE(metric->misfit({1, 3, foil_first, is_asked}));
  EXPECT_FALSE(metric->misfit({1, 3, is_right, is_asked}));
}

}  // namespace
}  // namespace snellen::metrics
