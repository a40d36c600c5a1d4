// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/label_lists.h"

#include <fstream>

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

LabelLists read(const std::string& text) {
  const std::string path = testing::TempDir() + "snellen_labels_test.json";
  std::ofstream(path, std::ios::binary) << text;
  return read_label_lists(path);
}

TEST(LabelLists, AreReadById) {
  const LabelLists file = read(R"({"6": ["chair", "person", "chair"], "7": []})");
  EXPECT_EQ(file.labels.at("6"), (std::set<std::string>{"chair", "person"}));
  EXPECT_TRUE(file.labels.at("7").empty());
}

TEST(LabelLists, NameWhatCannotBeUsed) {
  const LabelLists file = read(R"({"6": "chair", "7": [1], "8": [], "8": []})");
  EXPECT_EQ(file.labels.size(), 1U);
  EXPECT_EQ(file.bad_records.size(), 3U);
  EXPECT_THROW(read("[]"), Error);
}

}  // namespace
}  // namespace snellen::annotations
