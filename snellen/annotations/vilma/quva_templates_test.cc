// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/quva_templates.h"

#include <fstream>

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

std::string file_of(const std::string& text) {
  const std::string path = testing::TempDir() + "snellen_quva_test.json";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(QuvaTemplates, AreReadInTheOrderOfIds) {
  const QuvaTemplates file = read_quva_templates(
      file_of(R"({"001": {"prefix": "001_b", "templates": ["it hops <number> times."]},
                  "000": {"prefix": "000_a", "category": "exercise", "action": "hop",
                          "templates": ["it hops <number> times."],
                          "singular_templates": ["it hops <number> time."]}})"));
  ASSERT_EQ(file.videos.size(), 2U);
  EXPECT_EQ(file.videos[0].id, "000");
  EXPECT_EQ(file.videos[0].category, "exercise");
  EXPECT_EQ(file.videos[0].singular_templates[0], "it hops <number> time.");
  EXPECT_TRUE(file.videos[1].singular_templates.empty());
}

TEST(QuvaTemplates, NameVideosThatCannotBeUsed) {
  const QuvaTemplates file = read_quva_templates(file_of(
      R"({"0": {"prefix": "../a", "templates": ["<number>"]},
          "1": {"prefix": "a", "templates": ["no count"]},
          "2": {"prefix": "a", "templates": []},
          "3": {"prefix": "a", "templates": ["<number>"], "singular_templates": []},
          "4": {"templates": ["<number>"]},
          "5": 7,
          "6": {"prefix": "a", "templates": ["<number>"]},
          "6": {"prefix": "a", "templates": ["<number>"]}})"));
  EXPECT_EQ(file.videos.size(), 1U);
  EXPECT_EQ(file.bad_records.size(), 7U);
}

TEST(QuvaTemplates, AreRefusedWhenTheFileIsNoObject) {
  EXPECT_THROW(read_quva_templates(file_of("[]")), Error);
  EXPECT_THROW(read_quva_templates(file_of("{\"0\": ")), Error);
  EXPECT_THROW(read_quva_templates("/nowhere.json"), Error);
}

TEST(QuvaFoils, AreReadByVideoAndTemplate) {
  const QuvaFoilPool pool = read_quva_foils(
      file_of(R"({"000": {"0": ["a man ties a rope.", "a man cuts a rope."], "1": []}})"));
  ASSERT_TRUE(pool.videos.contains("000"));
  EXPECT_EQ(pool.videos.at("000").size(), 1U);
  EXPECT_EQ(pool.videos.at("000").at(0).at(1), "a man cuts a rope.");
}

TEST(QuvaFoils, NameRecordsThatCannotBeUsed) {
  const QuvaFoilPool pool = read_quva_foils(
      file_of(R"({"0": {"x": []}, "1": {"0": "a"}, "2": {"0": [1]}, "3": [], "4": {"0": ["a"]}})"));
  EXPECT_EQ(pool.videos.size(), 1U);
  EXPECT_EQ(pool.bad_records.size(), 4U);
}

}  // namespace
}  // namespace snellen::annotations
