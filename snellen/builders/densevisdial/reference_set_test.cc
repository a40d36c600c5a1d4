// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/densevisdial/reference_set.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::builders::densevisdial {
namespace {

std::vector<size_t> places(const Members& members) {
  std::vector<size_t> found;
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i]) found.push_back(i);
  return found;
}

using Places = std::vector<size_t>;

// The given answer is at 2; the others are 0.9, 0.8 and four low ones.
const std::vector<double> kTwoHigh = {0.9, 0.1, 1.0, 0.8, 0.0, 0.05, 0.12};

TEST(ReferenceSet, TakesWhatIsWithinOneStandardDeviationOfTheBest) {
  // Standard deviation of the six others: 0.4095, so the threshold is 0.4905.
  EXPECT_EQ(places(members_of(Rule::kSigma, kTwoHigh, 2)), (Places{0, 2, 3}));
}

TEST(ReferenceSet, TakesTheHighestModeOfMeanShift) {
  std::vector<double> values = {1.0};
  for (int i = 0; i < 10; ++i) values.push_back(0.8 + 0.005 * i);
  for (int i = 0; i < 20; ++i) values.push_back(0.005 * i);
  EXPECT_EQ(places(members_of(Rule::kMeanShift, values, 0)),
            (Places{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(ReferenceSet, TakesTheHighestOfFiveWardClusters) {
  const std::vector<double> values = {0.0, 0.01, 0.3, 0.31, 0.5, 0.52, 0.7, 0.95, 1.0, 0.94};
  EXPECT_EQ(places(members_of(Rule::kWard, values, 8)), (Places{7, 8, 9}));
}

TEST(ReferenceSet, KeepsTheBestAloneWhereThereAreTooFewDistinctValues) {
  const std::vector<double> values = {0.5, 0.5, 1.0, 0.25, 0.25, 0.5};
  EXPECT_EQ(places(members_of(Rule::kWard, values, 2)), (Places{0, 1, 2, 5}));
  const std::vector<double> equal(8, 0.5);
  EXPECT_EQ(places(members_of(Rule::kMeanShift, equal, 0)).size(), 8U);
}

TEST(ReferenceSet, AddsTheGivenAnswerToWhatPeopleChose) {
  const std::vector<double> relevance = {0, 0.2, 0, 1};
  EXPECT_EQ(places(human_members(relevance, 0)), (Places{0, 1, 3}));
}

TEST(ReferenceSet, HasNoSpreadForOneMember) {
  const SetFigures figures = figures_of({false, true}, std::vector<double>{0.2, 0.4});
  EXPECT_EQ(figures.size, 1U);
  EXPECT_DOUBLE_EQ(figures.mean, 0.4);
  EXPECT_TRUE(std::isnan(figures.sd));
}

TEST(ReferenceSet, RefusesAnUnknownLetter) {
  EXPECT_EQ(rule_of("G"), Rule::kWard);
  EXPECT_THROW(rule_of("X"), Error);
}

}  // namespace
}  // namespace snellen::builders::densevisdial
