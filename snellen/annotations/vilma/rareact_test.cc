// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/rareact.h"

#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace snellen::annotations {
namespace {

RareActFile read(const std::string& text) {
  // Named after the process: two builds may run this test at once.
  const std::string path = fmt::format("{}snellen-rareact-{}.csv", testing::TempDir(), ::getpid());
  std::ofstream(path, std::ios::binary) << text;
  return read_rareact(path);
}

constexpr const char* kHeader = "id,video_id,start,end,class_id,annotation,verb,noun\n";

TEST(RareAct, KeepsRowsThatShowTheAction) {
  const RareActFile file = read(std::string(kHeader) +
                                "6,QaMW4kKYbNM,60,70,3,1,throw,shirt\n"
                                "7,QaMW4kKYbNM,80,90,3,0,throw,shirt\n"
                                "9,o3TSaTrmMzY,50,60,4,2,peel,corn\n");
  ASSERT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.rows[0].id, 6);
  EXPECT_EQ(file.rows[0].verb, "throw");
  EXPECT_EQ(file.rows[0].noun, "shirt");
  EXPECT_EQ(file.rows[0].end_s, 70);
  EXPECT_TRUE(file.bad_records.empty());
}

TEST(RareAct, NamesRowsThatCannotBeUsed) {
  const RareActFile file = read(std::string(kHeader) +
                                "6,QaMW4kKYbNM,60,70,3,1,throw,shirt\n"
                                "6,QaMW4kKYbNM,60,70,3,1,cut,shirt\n"  // id twice
                                "7,QaMW4kKYbNM,70,60,3,1,cut,shirt\n"  // ends before it starts
                                "8,QaMW4kKYbNM,70,x,3,1,cut,shirt\n"   // no number
                                "9,QaMW4kKYbNM,70,80,3,1,,shirt\n"     // no verb
                                "10,QaMW4kKYbNM,70,80,3,1,c\xff,shirt\n");
  EXPECT_EQ(file.rows.size(), 1U);
  EXPECT_EQ(file.bad_records.size(), 5U);
}

TEST(RareAct, IsRefusedWithoutItsColumns) {
  EXPECT_THROW(read("id,verb\n1,cut\n"), Error);
  EXPECT_THROW(read(""), Error);
  EXPECT_THROW(read_rareact("/nowhere/rareact.csv"), Error);
}

}  // namespace
}  // namespace snellen::annotations
