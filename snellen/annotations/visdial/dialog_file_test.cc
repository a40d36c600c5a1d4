// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/dialog_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/annotations/visdial/dense_annotations.h"
#include "snellen/annotations/visdial/ranks_file.h"
#include "snellen/base/error.h"
#include "snellen/testing/small_dialogs.h"

namespace snellen::annotations {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class DialogFileTest : public testing::Test {
 protected:
  DialogFileTest()
      : path_(fs::temp_directory_path() / fmt::format("snellen_dialogs_{}.json", fmt::ptr(this))) {
    write_small_dialogs(path_);
  }
  ~DialogFileTest() override { fs::remove(path_); }

  // The message that a changed file is refused with.
  std::string refusal(const std::string& from, const std::string& to) const {
    std::string text = read_text_file(path_);
    const size_t at = text.rfind(from);
    EXPECT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
    write_text_file(path_, text);
    try {
      DialogFile file(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }
  template <typename Read>
  std::string refused(const std::string& text, Read read) const {
    write_text_file(path_, text);
    try {
      read(path_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  fs::path path_;
};

TEST_F(DialogFileTest, ReadsRoundsTextsAndCandidates) {
  const DialogFile file(path_);
  EXPECT_EQ(file.version(), "1.0");
  EXPECT_EQ(file.split(), "val2018");
  EXPECT_EQ(file.num_dialogs(), 2U);
  EXPECT_EQ(file.num_rounds(), 4U);
  EXPECT_EQ(file.key(3), (DialogKey{8, 1}));
  EXPECT_EQ(file.caption(1), "a dog");
  EXPECT_EQ(file.questions()[file.round(1).question], "what color is it?");
  EXPECT_EQ(file.answers()[*file.round(3).answer], "answer 11");
  EXPECT_EQ(*file.round(3).given, 11U);
  const auto candidates = file.candidates(1);
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_EQ(file.answers()[candidates[1][42]], "answer 42");
  EXPECT_EQ(file.image_name(0), "VisualDialog_val2018_000000000007.jpg");
}

TEST_F(DialogFileTest, NamesTheDialogThatIsWrong) {
  EXPECT_THAT(refusal("\"gt_index\": 11", "\"gt_index\": 12"), HasSubstr(": entry 1: 'gt_index'"));
}
TEST_F(DialogFileTest, RefusesAnIndexOutsideTheTexts) {
  EXPECT_THAT(refusal("\"question\": 1", "\"question\": 7"), HasSubstr("the list has 2"));
}
TEST_F(DialogFileTest, RefusesMissingCandidates) {
  EXPECT_THAT(refusal(", 99]", "]"), HasSubstr("'answer_options' has 99 entries"));
}
TEST_F(DialogFileTest, RefusesKeysOfAnotherKind) {
  const std::string whole = read_text_file(path_);
  auto with = [&](const char* from, const char* to) {
    write_text_file(path_, whole);
    return refusal(from, to);
  };
  EXPECT_THAT(with("\"answer\": 11", "\"answer\": \"11\""),
              HasSubstr(": entry 1: 'answer' is not a whole number"));
  EXPECT_THAT(with("\"gt_index\": 11", "\"gt_index\": null"),
              HasSubstr(": entry 1: 'gt_index' is not a whole number"));
  EXPECT_THAT(with("\"answer_options\": [0", "\"answer_options\": 5, \"other\": [0"),
              HasSubstr(": entry 1: 'answer_options' is not a list"));
  EXPECT_THAT(with("\"gt_index\": 11", "\"other\": 11"),
              HasSubstr(": entry 1: 'gt_index' is missing in round 2"));
}
TEST_F(DialogFileTest, LacksAnAnswerInTheLastRoundAlone) {
  const std::string whole = read_text_file(path_);
  EXPECT_THAT(refusal("\"answer\": 10", "\"other\": 10"),
              HasSubstr(": entry 1: 'answer' is missing in round 1"));
  write_text_file(path_, whole);
  // As in the test split: neither the answer nor its place.
  std::string text = whole;
  for (const char* key : {"\"answer\": 11", "\"gt_index\": 11"})
    text.replace(text.rfind(key), std::string(key).size(), "\"other\": 0");
  write_text_file(path_, text);
  const DialogFile file(path_);
  EXPECT_FALSE(file.round(3).answer);
  EXPECT_TRUE(file.round(3).has_candidates);
}
TEST_F(DialogFileTest, RefusesAnImageThatComesTwice) {
  EXPECT_THAT(refusal("\"image_id\": 8", "\"image_id\": 7"), HasSubstr("given before"));
}
TEST_F(DialogFileTest, RefusesATextThatIsNone) {
  EXPECT_THAT(refusal("\"answer 98\"", "98"), HasSubstr("entry 98"));
}

TEST_F(DialogFileTest, RefusesRelevancesAndRanksOutOfRange) {
  auto dense = [](const fs::path& path) { read_dense_annotations(path); };
  auto ranks = [](const fs::path& path) { RanksFile file(path); };
  std::string zeros = "0";
  for (int i = 1; i < 100; ++i) zeros += ", 0";
  const std::string start = R"([{"image_id": 1, "round_id": )";
  EXPECT_EQ(refused(start + "1, \"gt_relevance\": [" + zeros + "]}]", dense), "");
  EXPECT_THAT(refused(start + "0, \"gt_relevance\": [" + zeros + "]}]", dense),
              HasSubstr("entry 0: 'round_id' is 0, expected 1 to 10"));
  EXPECT_THAT(refused(start + "1, \"relevance\": [2" + zeros.substr(1) + "]}]", dense),
              HasSubstr("expected numbers from 0 to 1"));
  EXPECT_THAT(refused(start + "1, \"relevance\": [1]}]", dense), HasSubstr("entry 0"));
  EXPECT_THAT(refused(start + "1, \"ranks\": [1, 1]}]", ranks), HasSubstr("once"));
}

TEST_F(DialogFileTest, CountsRoundsWithoutRelevantCandidatesAsAbsent) {
  std::string zeros = "0";
  for (int i = 1; i < 100; ++i) zeros += ", 0";
  write_text_file(path_,
                  R"([{"image_id": 1, "round_id": 1, "relevance": [)" + zeros +
                      R"(]}, {"image_id": 2, "round_id": 3, "relevance": [1)" + zeros.substr(1) +
                      "]}]");
  const DenseAnnotations read = read_dense_annotations(path_);
  EXPECT_EQ(read.num_without, 1U);
  EXPECT_TRUE(read.find({1, 0}).empty());
  EXPECT_EQ(read.find({2, 2})[0], 1);
}

}  // namespace
}  // namespace snellen::annotations
