// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/probe/attribute_table.h"

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

TEST(AttributeTable, HoldsTheSizesOfThePaper) {
  AttributeTable table;
  EXPECT_EQ(table.attributes().size(), 114U);
  EXPECT_EQ(table.categories().size(), 11U);
  EXPECT_EQ(table.category_of("pink"), "color");
  EXPECT_EQ(table.category_of("purplish"), "other");
  EXPECT_EQ(table.find("small")->antonyms, (std::vector<std::string>{"large", "big"}));
}

}  // namespace
}  // namespace snellen::annotations
