// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/text_index.h"

#include <string>

#include <gtest/gtest.h>

namespace snellen::report {
namespace {

TEST(TextIndex, NumbersTextsInOrderOfFirstSight) {
  TextIndex index;
  EXPECT_FALSE(index.find("a").has_value());
  EXPECT_EQ(index.add("a").number, 0U);
  EXPECT_EQ(index.add("").number, 1U);
  TextIndex::Entry again = index.add("a");
  EXPECT_EQ(again.number, 0U);
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(index.find(""), 1U);
  EXPECT_FALSE(index.find("b").has_value());
}

TEST(TextIndex, KeepsItsNumbersWhileItGrows) {
  TextIndex index;
  for (uint32_t i = 0; i < 100000; ++i)
    ASSERT_EQ(index.add("composition/" + std::to_string(i)).number, i);
  for (uint32_t i = 0; i < 100000; ++i)
    ASSERT_EQ(index.find("composition/" + std::to_string(i)), i);
  EXPECT_FALSE(index.find("composition/100000").has_value());
  EXPECT_EQ(index.size(), 100000U);
}

}  // namespace
}  // namespace snellen::report
