// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/suite_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"

namespace snellen::tasks::vilma {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class VilmaSuiteFileTest : public testing::Test {
 protected:
  fs::path write(const std::string& name, std::string_view json) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const fs::path path =
        fs::path(testing::TempDir()) / (std::string("vilma_suite_") + test->name()) / name;
    write_text_file(path, json);
    return path;
  }

  void write_relations() {
    const std::string item =
        R"({"caption": "c", "foils": ["f"], "proficiency": {"caption": "p", "foils": ["q"], "human": {"caption": 1}}, "mturk": {"caption": 3}})";
    write("data/relations.json", fmt::format(R"({{"0": {}, "1": {}}})", item, item));
    write("data/mine.json", fmt::format(R"({{"0": {}, "1": {}}})", item, item));
    write("p.json", R"({"0": {"scores": [2, 1]}, "1": {"scores": [2, 1]}})");
    write("t.json", R"({"0": {"scores": [2, 1]}, "1": {"scores": [1, 2]}})");
  }

  std::string error_of(std::string_view suite) {
    const fs::path file = write("suite.json", suite);
    try {
      (void)placed_rows(file, file.parent_path() / "data");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
};

TEST_F(VilmaSuiteFileTest, ReadsRowsWithTheirModesAndPlaces) {
  write_relations();
  const fs::path file = write("suite.json", R"({"inputs": [
      {"case": "rel", "annotation": "relations.json", "mode": "similarity", "main": "t.json", "prof": "p.json"},
      {"annotation": ["mine.json"], "mode": "perplexity", "main": "t.json", "prof": "p.json", "task": "rare_actions"}]})");
  const fs::path data = file.parent_path() / "data";
  const std::vector<SuiteRow> rows = read_suite_rows(file, data);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].mode, metrics::FoilMode::kSimilarity);
  EXPECT_EQ(rows[1].mode, metrics::FoilMode::kPerplexity);
  EXPECT_EQ(rows[1].main, file.parent_path() / "t.json");
  const std::vector<PlacedRow> placed = placed_rows(file, data);
  EXPECT_EQ(placed[0].place.task, "spatial_relations");
  EXPECT_EQ(placed[0].place.subtask, "relations");
  EXPECT_EQ(placed[1].name, "mine");
  EXPECT_EQ(placed[1].place.task, "rare_actions");
  EXPECT_EQ(placed[1].place.subtask, "mine");
}

TEST_F(VilmaSuiteFileTest, SaysWhichRowIsWrong) {
  write_relations();
  EXPECT_THAT(error_of("{}"), HasSubstr("not a list of rows"));
  EXPECT_THAT(error_of("[oops"), HasSubstr("not a list of rows"));
  EXPECT_THAT(error_of(R"([{"annotation": "relations.json", "main": "t.json", "prof": "p.json"}])"),
              HasSubstr("row 0: key 'mode' is missing"));
  EXPECT_THAT(
      error_of(
          R"([{"annotation": "relations.json", "mode": "x", "main": "t.json", "prof": "p.json"}])"),
      HasSubstr("unknown mode 'x'"));
  EXPECT_THAT(
      error_of(
          R"([{"annotation": [1], "mode": "similarity", "main": "t.json", "prof": "p.json"}])"),
      HasSubstr("not a text"));
  EXPECT_THAT(error_of(R"([7])"), HasSubstr("row 0: is not an object"));
  EXPECT_THAT(
      error_of(
          R"([{"annotation": "mine.json", "mode": "similarity", "main": "t.json", "prof": "p.json"}])"),
      HasSubstr("cannot tell which ViLMA task"));
}

}  // namespace
}  // namespace snellen::tasks::vilma
