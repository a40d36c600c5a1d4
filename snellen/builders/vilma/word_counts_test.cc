// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/word_counts.h"

#include <fstream>
#include <vector>

#include <gtest/gtest.h>

namespace snellen::builders::vilma {
namespace {

WordCounts count(const std::string& text, CountedWords which, bool is_compat) {
  const std::string path = testing::TempDir() + "snellen_word_counts_test.json";
  std::ofstream(path, std::ios::binary) << text;
  const std::vector<std::filesystem::path> files = {path};
  return count_words(files, which, is_compat);
}

constexpr const char* kItems = R"({
  "a": {"class": "cut", "classes_foil": ["fold"]},
  "b": {"class": "fold", "classes_foil": ["cut"],
        "foils_info": {"predicted_words": ["cut", "tear, up"]}},
  "c": {"class": "corn", "classes_foil": ["blender"], "foil_masked_pos": ["noun"],
        "foils": ["peeling a lemon"]},
  "d": {"class": 3, "classes_foil": [9]},
  "e": {"caption": "no class"}})";

TEST(WordCounts, CountCaptionsAndFoils) {
  const WordCounts counts = count(kItems, CountedWords::kMain, /*is_compat=*/false);
  EXPECT_EQ(counts.num_items, 4U);
  EXPECT_EQ(counts.bad_records.count(), 1U);
  EXPECT_EQ(word_counts_csv(counts),
            "class,captions,foils\n3,1,0\n9,0,1\ncorn,1,0\ncut,1,1\nfold,1,1\nlemon,0,1\n"
            "\"tear, up\",0,1\n");
}

TEST(WordCounts, TakeTheClassesAsTheyAreInCompat) {
  const WordCounts counts = count(kItems, CountedWords::kMain, /*is_compat=*/true);
  EXPECT_EQ(word_counts_csv(counts),
            "class,captions,foils\n3,1,0\n9,0,1\nblender,0,1\ncorn,1,0\ncut,1,1\nfold,1,1\n");
}

TEST(WordCounts, CountWordsOfTheProficiencyPair) {
  const WordCounts counts =
      count(R"({"a": {"proficiency": {"mask_target": "cat", "predicted_word": "dog"}}})",
            CountedWords::kProficiency,
            /*is_compat=*/false);
  EXPECT_EQ(word_counts_json(counts),
            "[\n {\"class\": \"cat\", \"captions\": 1, \"foils\": 0},"
            "\n {\"class\": \"dog\", \"captions\": 0, \"foils\": 1}\n]\n");
}

}  // namespace
}  // namespace snellen::builders::vilma
