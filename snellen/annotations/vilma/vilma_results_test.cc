// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_results.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VilmaResultsTest : public testing::Test {
 protected:
  VilmaResults read(std::string_view json, OnDuplicate on_duplicate = OnDuplicate::kError) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const auto path = std::filesystem::path(testing::TempDir()) /
                      (std::string("vilma_results_") + test->name() + ".json");
    write_text_file(path, json);
    return VilmaResults(path, on_duplicate);
  }
  std::string error_of(std::string_view json) {
    try {
      read(json);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(VilmaResultsTest, ReadsAnyIndentationAndExtraKeys) {
  const VilmaResults results = read(
      "{\n    \"b\": {\n  \"time\": [1, {}], \"scores\": [\n 1,\n 2.5, "
      "3\n]},\"a\":{\"scores\":[0.25,-1e-3]}}\n");
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results.id(0), "a");
  EXPECT_THAT(results.scores(0), ElementsAre(0.25, -0.001));
  EXPECT_THAT(*results.find("b"), ElementsAre(1.0, 2.5, 3.0));
  EXPECT_FALSE(results.find("c").has_value());
  EXPECT_EQ(results.longest_entry(), 3u);
  EXPECT_EQ(results.num_non_finite(), 0u);
}

TEST_F(VilmaResultsTest, ReadsPythonsTokensAndCountsThem) {
  const VilmaResults results = read(
      R"({"a": {"scores": [NaN, 1.0]}, "b": {"scores": [-Infinity, Infinity]}, "c": {"scores": [1, 2]}})");
  EXPECT_TRUE(std::isnan((*results.find("a"))[0]));
  EXPECT_TRUE(std::isinf((*results.find("b"))[1]));
  EXPECT_EQ(results.num_non_finite(), 2u);
}

TEST_F(VilmaResultsTest, TakesAnEmptyFileAndEmptyLists) {
  EXPECT_EQ(read("{}").size(), 0u);
  EXPECT_EQ(read(R"({"a": {"scores": []}})").scores(0).size(), 0u);
}

TEST_F(VilmaResultsTest, KeepsTheLastOfTwoEqualIdsOnlyWhenAsked) {
  constexpr std::string_view kTwins =
      R"({"a": {"scores": [1, 2, 3]}, "b": {"scores": [9, 8]}, "a": {"scores": [3, 4]}})";
  EXPECT_THAT(error_of(kTwins), HasSubstr("id 'a' occurs twice"));
  const VilmaResults results = read(kTwins, OnDuplicate::kLast);
  EXPECT_EQ(results.size(), 2u);
  EXPECT_THAT(*results.find("a"), ElementsAre(3.0, 4.0));
  EXPECT_EQ(results.longest_entry(), 2u);
}

TEST_F(VilmaResultsTest, NamesTheEntryThatIsWrong) {
  EXPECT_THAT(error_of(R"({"a": {"scores": [1, "2"]}})"), HasSubstr("score 1 is not a number"));
  EXPECT_THAT(error_of(R"({"a": {"scores": [1, null]}})"), HasSubstr("'a'"));
  EXPECT_THAT(error_of(R"({"a": {"score": [1]}})"), HasSubstr("no list 'scores'"));
  EXPECT_THAT(error_of(R"({"a": {"scores": 1}})"), HasSubstr("no list 'scores'"));
  EXPECT_THAT(error_of(R"({"a": [1, 2]})"), HasSubstr("not an object"));
  EXPECT_THAT(error_of(R"([1, 2])"), HasSubstr("expected an object"));
  EXPECT_THAT(error_of(R"({"a": {"scores": [1, 2})"), HasSubstr("JSON"));
}

}  // namespace
}  // namespace snellen::annotations
