// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/control/control_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

ControlEvidence evidence(double clean, Bounded lost, Bounded left) {
  return {.clean = clean,
          .chance = 0.5,
          .lost = lost,
          .left = left,
          .num_items = 200,
          .num_moved = 200};
}

TEST(ControlClass, NeedsThePictureWhereItIsLostAndLittleIsLeft) {
  EXPECT_EQ(control_class(evidence(0.95, {0.45, 0.38, 0.52}, {0.0, -0.07, 0.07})),
            ControlClass::kNeeds);
  // A third of 0.45 is 0.15.
  EXPECT_EQ(control_class(evidence(0.95, {0.35, 0.28, 0.42}, {0.1, 0.02, 0.149})),
            ControlClass::kNeeds);
  EXPECT_EQ(control_class(evidence(0.95, {0.35, 0.28, 0.42}, {0.1, 0.02, 0.151})),
            ControlClass::kInPart);
}

TEST(ControlClass, IsInPartWhereBothAreAboveZero) {
  EXPECT_EQ(control_class(evidence(0.9, {0.1, 0.04, 0.16}, {0.3, 0.24, 0.36})),
            ControlClass::kInPart);
  EXPECT_EQ(control_class(evidence(0.9, {0.1, 0.04, 0.16}, {0.3, -0.01, 0.36})),
            ControlClass::kCannotTell);
}

TEST(ControlClass, DoesNotNeedItWhereAlmostNothingIsLost) {
  EXPECT_EQ(control_class(evidence(0.8, {0.0, -0.02, 0.02}, {0.3, 0.2, 0.4})),
            ControlClass::kDoesNot);
  EXPECT_EQ(control_class(evidence(0.8, {0.0, -0.021, 0.02}, {0.3, 0.2, 0.4})),
            ControlClass::kCannotTell);
}

TEST(ControlClass, DoesNotNeedItWhereNoScoreOfFortyItemsMoved) {
  ControlEvidence unmoved = evidence(0.8, {0.0, -0.1, 0.1}, {0.3, 0.2, 0.4});
  unmoved.num_moved = 0;
  unmoved.num_items = 40;
  EXPECT_EQ(control_class(unmoved), ControlClass::kDoesNot);
  unmoved.num_items = 39;
  EXPECT_EQ(control_class(unmoved), ControlClass::kCannotTell);
}

TEST(ControlClass, CannotTellWithTwentyItemsOfTwoOptions) {
  // 20 of 20 and 10 of 20: Wilson 0.30 to 0.70.
  ControlEvidence few = evidence(1.0, {0.5, 0.26, 0.74}, {0.0, -0.2, 0.2});
  few.num_items = 20;
  EXPECT_EQ(control_class(few), ControlClass::kCannotTell);
}

TEST(ControlClass, CannotTellWithoutIntervals) {
  EXPECT_EQ(control_class(evidence(1.0, {0.5}, {0.0})), ControlClass::kCannotTell);
}

TEST(ControlSentence, SaysWhatIsNeededAndByHowMuch) {
  const ControlEvidence seen = evidence(0.95, {0.45, 0.38, 0.52}, {0.0, -0.07, 0.07});
  EXPECT_EQ(control_sentence(ControlClass::kNeeds, ControlQuestion::kPicture, seen, "gray"),
            "this score needs the picture: 0.95 clean, 0.5 under gray (difference 0.45, 0.38 to "
            "0.52; chance 0.5)");
  EXPECT_THAT(control_sentence(ControlClass::kInPart, ControlQuestion::kOrder, seen, "reverse"),
              testing::StartsWith("part of this score does not need the order of frames: "));
  EXPECT_THAT(control_sentence(ControlClass::kCannotTell, ControlQuestion::kMotion, seen, "freeze"),
              testing::StartsWith("cannot tell whether this score needs motion: "));
  EXPECT_THAT(control_sentence(ControlClass::kCannotTell,
                               ControlQuestion::kPicture,
                               evidence(1.0, {0.5}, {0.0}),
                               "gray"),
              testing::EndsWith("the score under gray has no interval"));
}

}  // namespace
}  // namespace snellen::metrics
