// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/requirement.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::report {
namespace {

TEST(Requirement, ReadsMetricSignAndNumber) {
  Requirement one = parse_requirement("probe-c/composition/group>=0.30", Bound::kLow);
  EXPECT_EQ(one.metric, "probe-c/composition/group");
  EXPECT_EQ(one.relation, Relation::kAtLeast);
  EXPECT_EQ(one.bound, Bound::kLow);
  EXPECT_EQ(one.number, 0.3);
  EXPECT_FALSE(one.is_against_baseline);
  EXPECT_EQ(parse_requirement(" a/b < -1e-3 ", Bound::kPoint).number, -1e-3);
  EXPECT_EQ(parse_requirement("a/b<=+2", Bound::kPoint).relation, Relation::kAtMost);
}

TEST(Requirement, ReadsBoundAndBaseline) {
  Requirement one = parse_requirement("high( a/b ) > baseline - 0.02", Bound::kPoint);
  EXPECT_EQ(one.metric, "a/b");
  EXPECT_EQ(one.bound, Bound::kHigh);
  EXPECT_EQ(one.relation, Relation::kAbove);
  EXPECT_TRUE(one.is_against_baseline);
  EXPECT_EQ(one.number, -0.02);
  EXPECT_EQ(parse_requirement("a>=baseline", Bound::kPoint).number, 0.0);
  EXPECT_EQ(parse_requirement("a>=baseline+.5", Bound::kPoint).number, 0.5);
}

TEST(Requirement, TakesTheLastSignBecauseCategoriesMayHoldOne) {
  Requirement one = parse_requirement("t/by-category/a<b>c/acc>=0.5", Bound::kPoint);
  EXPECT_EQ(one.metric, "t/by-category/a<b>c/acc");
}

TEST(Requirement, RefusesWhatIsNone) {
  for (const char* text : {"",
                           "a",
                           "a=0.3",
                           ">=0.3",
                           "low()>=0.3",
                           "a>=",
                           "a>=x",
                           "a>=0.3x",
                           "a>=nan",
                           "a>=inf",
                           "a>=baseline*2",
                           "a>=baseline-",
                           "a>=baseline--1",
                           "a>=baseline-inf",
                           "a>=30%",
                           "a>==1"}) {
    EXPECT_THROW(parse_requirement(text, Bound::kPoint), Error) << text;
  }
  EXPECT_THROW(parse_requirement(std::string(2000, 'a') + ">=1", Bound::kPoint), Error);
  EXPECT_THROW(bound_of("middle"), Error);
}

TEST(Requirement, HoldsAtItsEdgeOnlyWithEqual) {
  EXPECT_TRUE(parse_requirement("a>=1", Bound::kPoint).is_met_by(1, 1));
  EXPECT_FALSE(parse_requirement("a>1", Bound::kPoint).is_met_by(1, 1));
  EXPECT_TRUE(parse_requirement("a<=1", Bound::kPoint).is_met_by(1, 1));
  EXPECT_FALSE(parse_requirement("a<1", Bound::kPoint).is_met_by(1, 1));
}

}  // namespace
}  // namespace snellen::report
