// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/ties.h"

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

TEST(Ties, AreReadInBothSpellings) {
  EXPECT_EQ(ties_of("foil"), ties_of("wrong"));
  EXPECT_EQ(ties_of("caption"), Ties::kRight);
  EXPECT_EQ(ties_of(name_of(Ties::kHalf)), Ties::kHalf);
  EXPECT_FALSE(ties_of("maybe"));
}

TEST(Ties, DecideOnlyWhatATieDecides) {
  for (Ties ties : {Ties::kWrong, Ties::kHalf, Ties::kRight}) {
    EXPECT_EQ(credit_of(true, true, ties), 1);
    EXPECT_EQ(credit_of(false, false, ties), 0);
  }
  EXPECT_EQ(credit_of(false, true, Ties::kWrong), 0);
  EXPECT_EQ(credit_of(false, true, Ties::kHalf), 0.5);
  EXPECT_EQ(credit_of(false, true, Ties::kRight), 1);
}

}  // namespace
}  // namespace snellen::metrics
