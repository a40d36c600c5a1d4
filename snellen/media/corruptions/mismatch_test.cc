// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/mismatch.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace snellen::media {
namespace {

TEST(Mismatch, NobodySeesTheirOwnPictureAndEveryPictureIsUsed) {
  std::vector<size_t> shown = *mismatched(50, 0);
  EXPECT_EQ(shown, *mismatched(50, 0));
  EXPECT_NE(shown, *mismatched(50, 1));
  for (size_t i = 0; i < shown.size(); ++i) EXPECT_NE(shown[i], i);
  std::sort(shown.begin(), shown.end());
  for (size_t i = 0; i < shown.size(); ++i) EXPECT_EQ(shown[i], i);
}

TEST(Mismatch, StaysInTheCategoryWhenAsked) {
  std::vector<std::string> categories = {"a", "b", "a", "b", "a"};
  std::vector<size_t> shown = *mismatched_in_category(categories, 0);
  for (size_t i = 0; i < shown.size(); ++i) {
    EXPECT_NE(shown[i], i);
    EXPECT_EQ(categories[shown[i]], categories[i]);
  }
}

TEST(Mismatch, OneItemAloneIsAnError) {
  EXPECT_FALSE(mismatched(1, 0));
  EXPECT_TRUE(mismatched(0, 0)->empty());
  std::vector<std::string> categories = {"a", "b", "a"};
  EXPECT_EQ(mismatched_in_category(categories, 0).error().where(), "category 'b'");
}

}  // namespace
}  // namespace snellen::media
