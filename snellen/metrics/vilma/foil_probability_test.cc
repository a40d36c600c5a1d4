// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/foil_probability.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

// Rows that own their scores.
class Rows {
 public:
  Rows(std::initializer_list<std::vector<double>> rows) : owned_(rows) {
    for (const std::vector<double>& row : owned_) views_.push_back(row);
  }
  operator const ScoreRows&() const {
    return views_;
  }  // NOLINT(google-explicit-constructor): a test's shorthand

 private:
  std::vector<std::vector<double>> owned_;
  ScoreRows views_;
};

// Captions 0.9, 0.4, 0.5; foils 0.2, 0.6, 0.5. A score of 0.5 is negative in both views.
TEST(FoilProbability, CountsBothViewsByHand) {
  const FoilProbability result = foil_probability(Rows{{0.9, 0.2}, {0.4, 0.6}, {0.5, 0.5}});
  EXPECT_EQ(result.counts.tp, 1u);
  EXPECT_EQ(result.counts.fp, 1u);
  EXPECT_EQ(result.counts.tn, 2u);
  EXPECT_EQ(result.counts.fn, 2u);
  EXPECT_EQ(result.counts.foil_tp, 1u);
  EXPECT_EQ(result.counts.foil_fp, 1u);
  EXPECT_DOUBLE_EQ(result.p_c, 0.5);
  EXPECT_DOUBLE_EQ(result.p_f, 0.5);
  EXPECT_DOUBLE_EQ(result.acc, 0.5);
  // Won pairs: 0.9 beats three, 0.4 one, 0.5 one and ties one: 5.5 of 9.
  EXPECT_DOUBLE_EQ(*result.auroc, 5.5 / 9.0);
}

TEST(FoilProbability, TakesAnEmptyDenominatorAsZero) {
  const FoilProbability result = foil_probability(Rows{{0.1, 0.1}});
  EXPECT_DOUBLE_EQ(result.p_c, 0.0);
  EXPECT_DOUBLE_EQ(result.p_f, 0.5);
}

TEST(FoilProbability, HasNoAurocWithoutFoils) {
  EXPECT_FALSE(foil_probability(Rows{{0.7}}).auroc.has_value());
  EXPECT_FALSE(foil_probability(Rows{}).auroc.has_value());
}

TEST(FoilProbability, RefusesWhatIsNoProbability) {
  try {
    (void)foil_probability(Rows{{0.7, 0.3}, {70.0, 0.3}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "score_out_of_range: 70 is not in [0, 1]");
    EXPECT_EQ(error.where(), "item 1, score 0");
  }
  EXPECT_THROW((void)foil_probability(Rows{{std::nan(""), 0.3}}), Error);
}

TEST(FoilProbability, CompatSquashesEverythingWhenRowsAreRagged) {
  // Padding to three columns is -inf, so all scores pass a sigmoid and every one above 0 is "a
  // caption".
  const FoilProbability result = foil_probability_compat(Rows{{0.9, 0.2, 0.1}, {0.4, 0.6}}, 3);
  EXPECT_EQ(result.counts.tp, 2u);
  EXPECT_EQ(result.counts.fp, 3u);
  EXPECT_FLOAT_EQ(static_cast<float>(result.p_c), 0.4f);
  EXPECT_FLOAT_EQ(static_cast<float>(result.p_f), 0.6f);
  EXPECT_FLOAT_EQ(static_cast<float>(result.acc), 0.4f);
  // auroc drops the padding first: 0.9 beats three, 0.4 beats two of three.
  EXPECT_FLOAT_EQ(static_cast<float>(*result.auroc), 5.0f / 6.0f);
}

TEST(FoilProbability, CompatPadsToTheLongestEntryOfTheFile) {
  const Rows rows{{0.9, 0.2}, {0.4, 0.6}};
  EXPECT_EQ(foil_probability_compat(rows, 2).counts.tp, 1u);
  EXPECT_EQ(foil_probability_compat(rows, 3).counts.tp, 2u);
}

TEST(FoilProbability, CompatKeepsZeroNegativeUnderTheSigmoid) {
  const FoilProbability result = foil_probability_compat(Rows{{1.0, 0.0}}, 3);
  EXPECT_EQ(result.counts.tp, 1u);
  EXPECT_EQ(result.counts.fp, 0u);
  EXPECT_EQ(result.counts.foil_tp, 1u);  // sigmoid(1 - 0) > 0.5
  EXPECT_EQ(result.counts.foil_fp, 0u);  // sigmoid(1 - 1) is 0.5
}

TEST(FoilProbability, CompatTakesInfinityForPadding) {
  const double infinity = std::numeric_limits<double>::infinity();
  const FoilProbability result = foil_probability_compat(Rows{{0.9, -infinity}, {0.4, 0.6}}, 2);
  EXPECT_EQ(result.counts.n_pos, 2u);
  EXPECT_EQ(result.counts.n_neg, 1u);
  EXPECT_EQ(result.counts.tp, 2u);
}

TEST(FoilProbability, CompatGivesZeroAurocWithoutFoils) {
  EXPECT_EQ(foil_probability_compat(Rows{{0.9}}, 1).auroc, 0.0);
}

TEST(FoilProbability, MultiCompatSquashesOnlyWhatIsTrulyOutside) {
  EXPECT_EQ(foil_probability_multi_compat(Rows{{0.9, 0.2, 0.1}, {0.4, 0.6}}).counts.tp, 1u);
  const FoilProbability percent = foil_probability_multi_compat(Rows{{70.0, 30.0}});
  EXPECT_EQ(percent.counts.tp, 1u);
  EXPECT_EQ(percent.counts.fp, 1u);
  // Both are 1 in float32 after the sigmoid: a tie.
  EXPECT_EQ(percent.auroc, 0.5);
}

TEST(FoilProbability, CompatRanksTheFirstNanHighest) {
  const double nan = std::nan("");
  EXPECT_EQ(foil_probability_multi_compat(Rows{{nan, nan}}).auroc, 1.0);
  EXPECT_EQ(foil_probability_multi_compat(Rows{{0.9, nan}}).auroc, 0.0);
  EXPECT_EQ(foil_probability_compat(Rows{{nan, 0.5}, {0.1, nan}}, 2).auroc, 0.5);  // 2 of 4 pairs
}

}  // namespace
}  // namespace snellen::metrics
