// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/foil_candidates.h"

#include <fstream>

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

FoilCandidates read(const std::string& text) {
  const std::string path = testing::TempDir() + "snellen_candidates_test.json";
  std::ofstream(path, std::ios::binary) << text;
  return read_foil_candidates(path);
}

TEST(FoilCandidates, AreVerbsOrNouns) {
  const FoilCandidates file = read(R"({
      "cut book": [{"verb": "read", "label": "neutral", "score": 0.75}],
      "cut": [{"noun": "apple", "noun_phrase": "an apple", "score": null, "mlm_score": 2.5}]})");
  EXPECT_EQ(file.keys, (std::vector<std::string>{"cut book", "cut"}));
  EXPECT_EQ(file.lists.at("cut book")[0].verb, "read");
  EXPECT_EQ(file.lists.at("cut book")[0].score, 0.75);
  EXPECT_EQ(file.lists.at("cut")[0].phrase, "an apple");
  EXPECT_EQ(file.lists.at("cut")[0].mlm_score, 2.5);
  EXPECT_FALSE(file.lists.at("cut")[0].score);
}

TEST(FoilCandidates, NameWhatCannotBeUsed) {
  const FoilCandidates file = read(R"({
      "a": [{}, {"verb": "x", "noun": "y"}, 3, {"verb": "x", "score": "high"}, {"verb": "run"}],
      "b": {"verb": "x"},
      "c": [{"verb": "x"}],
      "c": [{"verb": "y"}]})");
  EXPECT_EQ(file.lists.at("a").size(), 1U);
  EXPECT_EQ(file.bad_records.size(), 6U);
}

TEST(FoilCandidates, AreRefusedWhenTheFileIsNoObject) {
  EXPECT_THROW(read("[1]"), Error);
  EXPECT_THROW(read("{\"a\": ["), Error);
  EXPECT_THROW(read_foil_candidates("/nowhere.json"), Error);
}

}  // namespace
}  // namespace snellen::annotations
