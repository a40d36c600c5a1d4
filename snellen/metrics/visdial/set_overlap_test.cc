// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/visdial/set_overlap.h"

#include <gtest/gtest.h>

namespace snellen::metrics::visdial {
namespace {

TEST(SetOverlap, TellsSharesOfBothSets) {
  const SetOverlap overlap = set_overlap({true, true, false, true}, {true, false, true, true});
  EXPECT_DOUBLE_EQ(overlap.precision, 2.0 / 3);
  EXPECT_DOUBLE_EQ(overlap.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(overlap.iou, 0.5);
}

}  // namespace
}  // namespace snellen::metrics::visdial
