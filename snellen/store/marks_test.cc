// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/marks.h"

#include <array>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;

class MarksFile : public testing::Test {
 protected:
  MarksFile() : file_(fs::path(testing::TempDir()) / "snellen_marks_test.jsonl") {
    fs::remove(file_);
  }
  ~MarksFile() override { fs::remove(file_); }

  void append(const std::string& text) { std::ofstream(file_, std::ios::app) << text; }

  fs::path file_;
};

TEST_F(MarksFile, TheLastMarkOfAnItemCounts) {
  Marks marks(file_);
  EXPECT_TRUE(marks.all().empty());
  marks.set({.task = "t", .item = "a", .label = "odd"});
  marks.set({.task = "t", .item = "b", .note = "n"});
  marks.set({.task = "t", .item = "a", .is_wrong = true});
  ASSERT_TRUE(marks.find("t", "a"));
  EXPECT_TRUE(marks.find("t", "a")->is_wrong);
  EXPECT_EQ(marks.find("t", "a")->label, "");
  marks.set({.task = "t", .item = "b"});
  EXPECT_FALSE(marks.find("t", "b"));
  EXPECT_EQ(Marks(file_).all().size(), 1U);
  EXPECT_EQ(MarkedItems(std::array{file_}).size(), 1U);
}

TEST_F(MarksFile, AMarkAfterACutLineIsNotLost) {
  append(R"({"task":"t","item":"a","label":"x"})"
         "\n"
         R"({"task":"t","item":"b","lab)");
  Marks marks(file_);
  EXPECT_EQ(marks.all().size(), 1U);
  marks.set({.task = "t", .item = "c", .label = "y"});
  EXPECT_EQ(Marks(file_).all().size(), 2U);
  EXPECT_TRUE(Marks(file_).find("t", "c"));
}

TEST_F(MarksFile, WhatIsTooLongToBeReadAgainIsRefused) {
  Marks marks(file_);
  EXPECT_THROW(marks.set({.task = "t", .item = "a", .label = std::string(5000, 'x')}), Error);
  EXPECT_THROW(marks.set({.task = "t", .item = std::string(70'000, 'x'), .label = "x"}), Error);
  EXPECT_FALSE(fs::exists(file_));
}

TEST_F(MarksFile, AFolderInItsPlaceIsToldTruly) {
  fs::create_directories(file_);
  Marks marks(file_);
  try {
    marks.set({.task = "t", .item = "a", .label = "x"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("Is a directory"));
  }
}

}  // namespace
}  // namespace snellen::store
