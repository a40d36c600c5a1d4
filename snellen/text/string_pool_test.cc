// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/string_pool.h"

#include <gmock/gmock.h>

namespace snellen::text {
namespace {

TEST(StringPool, NumbersDistinctStringsInOrder) {
  StringPool pool;
  EXPECT_EQ(pool.add("a"), 0u);
  EXPECT_EQ(pool.add(""), 1u);
  EXPECT_EQ(pool.add("a"), 0u);
  EXPECT_EQ(pool.find("b"), StringPool::kAbsent);
  EXPECT_EQ(pool[0], "a");
  EXPECT_EQ(pool[1], "");
  EXPECT_EQ(pool.size(), 2u);
}

TEST(StringPool, SortsNumbersByTheBytesOfTheirStrings) {
  StringPool pool;
  for (const char* text : {"b", "a", "ab"}) pool.add(text);
  EXPECT_EQ(pool.sorted(), (std::vector<uint32_t>{1, 2, 0}));
}

TEST(StringPool, FindsEverythingAgainAfterGrowing) {
  StringPool pool;
  for (int i = 0; i < 10000; ++i) pool.add("text number " + std::to_string(i));
  EXPECT_EQ(pool.size(), 10000u);
  for (uint32_t i = 0; i < 10000; ++i) EXPECT_EQ(pool.find("text number " + std::to_string(i)), i);
}

TEST(StringPool, TellsZeroBytesApart) {
  StringPool pool;
  EXPECT_NE(pool.add(std::string_view("a\0", 2)), pool.add("a"));
}

TEST(StringSets, KeepsRepeatsAndOrderWithinASet) {
  StringSets sets;
  sets.start_set();
  sets.add("x");
  sets.add("y");
  sets.add("x");
  sets.start_set();
  EXPECT_THAT(sets.ids(0), testing::ElementsAre(0, 1, 0));
  EXPECT_TRUE(sets.ids(1).empty());
  EXPECT_EQ(sets.size(), 2u);
}

TEST(StringSets, AppendsAsIfAddedOneByOne) {
  StringSets sets;
  sets.start_set();
  sets.add("x");
  StringSets other;
  other.start_set();
  other.add("y");
  other.add("x");
  other.start_set();
  sets.append(other);
  EXPECT_EQ(sets.size(), 3u);
  EXPECT_THAT(sets.ids(1), testing::ElementsAre(1, 0));
  EXPECT_TRUE(sets.ids(2).empty());
}

}  // namespace
}  // namespace snellen::text
