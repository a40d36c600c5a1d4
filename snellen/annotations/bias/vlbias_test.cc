// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/bias/vlbias.h"

#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::annotations {
namespace {

namespace fs = std::filesystem;

std::string record(int idx, const char* condition) {
  return R"({"idx": )" + std::to_string(idx) + R"(, "category": "old", "condition": ")" +
         condition +
         R"(", "context": "", "question": "q", "ans0": "Yes", "ans1": "No", "ans2": "Unknown", )"
         R"("image_path": "x.jpg"})";
}

TEST(CloseQuestions, CountOverSubsetsAndFilesInTheirOrder) {
  const fs::path root = fs::path(testing::TempDir()) / "vlbias-reader";
  fs::remove_all(root);
  fs::create_directories(root / "close_ended/json/scene");
  fs::create_directories(root / "close_ended/json/base");
  write_text_file(root / "close_ended/json/scene/Age.json", "[" + record(0, "ambig") + "]");
  write_text_file(root / "close_ended/json/base/SES.json", "[" + record(0, "neg") + "]");
  write_text_file(root / "close_ended/json/base/Age.json",
                  "[" + record(0, "ambig") + ", {\"idx\": 1}]");
  const CloseQuestions questions = CloseQuestions::of_vlbias(root);
  ASSERT_EQ(questions.size(), 4U);
  EXPECT_EQ(questions.question(0)->category, "Age");
  EXPECT_FALSE(questions.question(1));
  EXPECT_EQ(questions.question(2)->category, "SES");
  EXPECT_EQ(questions.question(3)->subset, "scene");
  EXPECT_EQ(questions.question(3)->id, "3");
  EXPECT_EQ(questions.row(3).fields().front().first, "idx");
  EXPECT_EQ(questions.ambiguous_before(), (std::vector<uint32_t>{0, 1, 1, 1}));
  EXPECT_EQ(questions.images(), root / "close_ended/images");
  EXPECT_THROW(CloseQuestions::of_vlbias(root / "close_ended"), Error);
}

TEST(OpenAnnotationFile, KnowsTheFoldersOfTheTypes) {
  EXPECT_EQ(open_annotation_file("r", "race"), fs::path("r/open_ended/race/annotation.json"));
  EXPECT_EQ(open_annotation_file("r", "profession-emo"),
            fs::path("r/open_ended/profession/annotation_emo.json"));
}

}  // namespace
}  // namespace snellen::annotations
