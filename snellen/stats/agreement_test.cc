// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/agreement.h"

#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::stats {
namespace {

TEST(FleissKappa, GivesThePublishedExample) {
  // Fleiss 1971 as worked in common references: 10 items, 14 raters, 5 categories, kappa 0.210.
  std::vector<uint64_t> counts = {0, 0, 0, 0, 14, 0, 2, 6, 4, 2, 0, 0, 3, 5, 6, 0, 3,
                                  9, 2, 0, 2, 2,  8, 1, 1, 7, 7, 0, 0, 0, 3, 2, 6, 3,
                                  0, 2, 5, 3, 2,  2, 6, 5, 2, 1, 0, 0, 2, 2, 3, 7};
  EXPECT_NEAR(*fleiss_kappa(counts, 5), 0.210, 5e-4);
}

TEST(FleissKappa, IsOneForFullAgreement) {
  EXPECT_DOUBLE_EQ(*fleiss_kappa(std::vector<uint64_t>{3, 0, 0, 3}, 2), 1.0);
}

TEST(FleissKappa, IsMinusOneForTwoRatersWhoAlwaysDisagree) {
  EXPECT_DOUBLE_EQ(*fleiss_kappa(std::vector<uint64_t>{1, 1, 1, 1}, 2), -1.0);
}

TEST(FleissKappa, IsUndefinedWithoutItemsRatersOrASecondCategory) {
  EXPECT_FALSE(fleiss_kappa({}, 2));
  EXPECT_FALSE(fleiss_kappa(std::vector<uint64_t>{1, 0, 0, 1}, 2));
  EXPECT_FALSE(fleiss_kappa(std::vector<uint64_t>{3, 0, 3, 0}, 2));
  EXPECT_FALSE(fleiss_kappa(std::vector<uint64_t>{0, 0}, 2));
}

TEST(FleissKappa, RefusesItemsWithDifferentNumbersOfRaters) {
  EXPECT_THROW(fleiss_kappa(std::vector<uint64_t>{3, 0, 1, 1}, 2), Error);
}

TEST(FleissKappa, DoesNotDependOnTheOrderOfItemsOrCategories) {
  double kappa = *fleiss_kappa(std::vector<uint64_t>{4, 1, 2, 3, 0, 5}, 2);
  EXPECT_DOUBLE_EQ(*fleiss_kappa(std::vector<uint64_t>{0, 5, 4, 1, 2, 3}, 2), kappa);
  EXPECT_DOUBLE_EQ(*fleiss_kappa(std::vector<uint64_t>{1, 4, 3, 2, 5, 0}, 2), kappa);
}

}  // namespace
}  // namespace snellen::stats
