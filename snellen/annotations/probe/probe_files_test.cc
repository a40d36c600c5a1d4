// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/probe/probe_files.h"

#include <gtest/gtest.h>

namespace snellen::annotations {
namespace {

std::filesystem::path file_with(std::string_view text) {
  auto path =
      std::filesystem::path(testing::TempDir()) /
      (std::string("probe_") + testing::UnitTest::GetInstance()->current_test_info()->name());
  write_text_file(path, text);
  return path;
}

TEST(ProbeCFile, AcceptsIdsAsTextAndAsNumber) {
  ProbeCFile file(file_with(
      R"([{"img1_id": "42", "img2_id": 371046, "img1_prompt": "a", "img2_prompt": "b"}])"));
  auto group = file.group(0);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->img1_id, "42");
  EXPECT_EQ(coco_val2014_name(group->img2_id), "COCO_val2014_000000371046.jpg");
}

TEST(ProbeCFile, NamesFileAndGroupOfABadRecord) {
  ProbeCFile file(file_with(R"([{"img1_id": "42"}, 7])"));
  EXPECT_NE(std::string(file.group(0).error().what()).find("record 0: key 'img2_id' is missing"),
            std::string::npos);
  EXPECT_NE(
      std::string(file.group(1).error().what()).find("record 1: is a number, expected an object"),
      std::string::npos);
}

TEST(ProbeCFile, RefusesAFileOfTheWrongKind) {
  EXPECT_THROW(ProbeCFile{file_with("{}")}, Error);
}

TEST(BackgroundFile, RefusesANameThatLeavesItsFolder) {
  BackgroundFile file(
      file_with(R"([{"image_id": 1, "image": "../x.jpg", "annotations": {"dog": []}}])"));
  EXPECT_FALSE(file.group(0));
}

TEST(ProbeRFile, WantsImagesOnBothSides) {
  ProbeRFile file(file_with(R"({"12": {"positive_image_ids": [], "negative_image_ids": [1],
    "positive_prompt": "", "negative_prompt": "", "negative_predicate_prompt": "", "positive_object": "", "negative_object": ""}})"));
  EXPECT_NE(std::string(file.group(0).error().what()).find("'positive_image_ids' is empty"),
            std::string::npos);
}

}  // namespace
}  // namespace snellen::annotations
