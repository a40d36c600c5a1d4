// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_results_writer.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/annotations/vilma/vilma_results.h"
#include "snellen/base/error.h"

namespace snellen::annotations {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VilmaResultsWriterTest : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::filesystem::path(testing::TempDir()) /
           (std::string("vilma_writer_") + test->name()) / name;
  }
  std::filesystem::path write(const std::string& name, std::string_view json) {
    write_text_file(path(name), json);
    return path(name);
  }
};

TEST_F(VilmaResultsWriterTest, WritesOneItemALine) {
  VilmaResultsWriter writer(path("out.json"));
  writer.add("a", std::vector<double>{1.0, 0.25});
  writer.add("é", std::vector<double>{std::numeric_limits<double>::quiet_NaN(), 1e-5});
  writer.commit();
  EXPECT_EQ(read_text_file(path("out.json")),
            "{\n\"a\": {\"scores\": [1.0, 0.25]},\n\"\\u00e9\": {\"scores\": [NaN, 1e-05]}\n}\n");
  EXPECT_THAT(*VilmaResults(path("out.json")).find("a"), ElementsAre(1.0, 0.25));
}

TEST_F(VilmaResultsWriterTest, WritesTheReferencesLayout) {
  VilmaResultsWriter writer(path("out.json"), VilmaLayout::kIndent4);
  writer.add("a", std::vector<double>{1.0, 0.25});
  writer.add("b", {});
  writer.commit();
  EXPECT_EQ(read_text_file(path("out.json")),
            "{\n    \"a\": {\n        \"scores\": [\n            1.0,\n            0.25\n        "
            "]\n    },\n"
            "    \"b\": {\n        \"scores\": []\n    }\n}");
}

TEST_F(VilmaResultsWriterTest, WritesAnEmptyObject) {
  VilmaResultsWriter lines(path("a.json"));
  lines.commit();
  VilmaResultsWriter indented(path("b.json"), VilmaLayout::kIndent4);
  indented.commit();
  EXPECT_EQ(read_text_file(path("a.json")), "{}\n");
  EXPECT_EQ(read_text_file(path("b.json")), "{}");
}

TEST_F(VilmaResultsWriterTest, LeavesNothingWithoutCommit) {
  { VilmaResultsWriter writer(path("out.json")); }
  EXPECT_FALSE(std::filesystem::exists(path("out.json")));
}

TEST_F(VilmaResultsWriterTest, MergesWithTheLaterEntryAtTheEarlierPlace) {
  const std::vector<std::filesystem::path> inputs = {
      write("a.json", R"({"x": {"scores": [1, 2]}, "y": {"scores": [3.50, NaN], "note": "n"}})"),
      write("b.json", R"({"z": {"scores": [5]}, "x": {"scores": [6]}})")};
  const VilmaMerge merge =
      merge_vilma_results(inputs, path("out.json"), VilmaLayout::kIndent4, OnConflict::kLast);
  EXPECT_EQ(merge.num_items, 3u);
  EXPECT_THAT(merge.replaced, ElementsAre("x"));
  EXPECT_EQ(read_text_file(path("out.json")),
            "{\n    \"x\": {\n        \"scores\": [\n            6\n        ]\n    },\n"
            "    \"y\": {\n        \"scores\": [\n            3.5,\n            NaN\n        ],\n  "
            "      \"note\": \"n\"\n    },\n"
            "    \"z\": {\n        \"scores\": [\n            5\n        ]\n    }\n}");
}

TEST_F(VilmaResultsWriterTest, MergesToLinesAndOntoAnInput) {
  const std::vector<std::filesystem::path> inputs = {
      write("a.json", R"({"x": {"scores": [1, 2]}})"),
      write("b.json", R"({"y": {"scores": [3]}})")};
  merge_vilma_results(inputs, inputs[0], VilmaLayout::kLines, OnConflict::kLast);
  EXPECT_EQ(read_text_file(inputs[0]),
            "{\n\"x\": {\"scores\": [1, 2]},\n\"y\": {\"scores\": [3]}\n}\n");
}

TEST_F(VilmaResultsWriterTest, RefusesAConflictWhenAsked) {
  const std::vector<std::filesystem::path> inputs = {write("a.json", R"({"x": {"scores": [1]}})"),
                                                     write("b.json", R"({"x": {"scores": [2]}})")};
  try {
    merge_vilma_results(inputs, path("out.json"), VilmaLayout::kLines, OnConflict::kError);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("id 'x' is in "));
    EXPECT_THAT(error.message(), HasSubstr("b.json"));
  }
  EXPECT_FALSE(std::filesystem::exists(path("out.json")));
}

}  // namespace
}  // namespace snellen::annotations
