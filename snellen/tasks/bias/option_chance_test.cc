// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/option_chance.h"

#include <gtest/gtest.h>

namespace snellen::tasks {
namespace {

TEST(OptionChance, IsOneInThreeWhereAllHaveThreeOptions) {
  OptionChance chance;
  for (int part = 0; part < 2; ++part) {
    chance.begin_part();
    chance.add(3, 7);
  }
  EXPECT_EQ(chance.of_parts(), 1.0 / 3);
  EXPECT_EQ(chance.of_questions(), 1.0 / 3);
}

TEST(OptionChance, IsTheMeanOverQuestions) {
  OptionChance chance;
  chance.begin_part();
  chance.add(2);
  chance.add(4, 3);
  EXPECT_DOUBLE_EQ(*chance.of_parts(), (0.5 + 3 * 0.25) / 4);
  EXPECT_FALSE(chance.of_questions());
}

TEST(OptionChance, IsNotOneNumberWherePartsDiffer) {
  OptionChance chance;
  chance.begin_part();
  chance.add(2);
  chance.begin_part();
  chance.add(3);
  EXPECT_FALSE(chance.of_parts());
  EXPECT_FALSE(OptionChance().of_parts());
}

}  // namespace
}  // namespace snellen::tasks
