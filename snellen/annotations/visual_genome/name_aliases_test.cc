// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visual_genome/name_aliases.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::annotations {
namespace {

TEST(NormalName, IsLowerCaseTrimmedWithSingleBlanksAndNoFullStop) {
  EXPECT_EQ(normal_name("  Traffic \t LIGHT. "), "traffic light");
  EXPECT_EQ(normal_name("man..."), "man");
  EXPECT_EQ(normal_name("st. bernard"), "st. bernard");
  EXPECT_EQ(normal_name("Caf\xc3\x89"), "caf\xc3\xa9");
  EXPECT_EQ(normal_name(" . "), "");
}

TEST(NameAliases, GiveTheFirstEntryOfTheFirstSetThatHoldsAName) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "alias.txt";
  write_text_file(path, "man,men, Guy\r\nboy,guy,kid\n\n,\n");
  NameAliases aliases(path);
  EXPECT_EQ(aliases.canonical("MEN"), "man");
  EXPECT_EQ(aliases.canonical("guy"), "man");
  EXPECT_EQ(aliases.canonical("kid"), "boy");
  EXPECT_EQ(aliases.canonical("dog."), "dog");
  EXPECT_EQ(NameAliases().canonical("Men"), "men");
  EXPECT_THROW(NameAliases("no such file"), Error);
}

}  // namespace
}  // namespace snellen::annotations
