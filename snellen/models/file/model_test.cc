// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/models/model.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_file();
namespace {

// Lines "id score".
Result<FileScores> read_pair(std::string_view line) {
  size_t space = line.find(' ');
  if (space == std::string_view::npos) return Error{ErrorCode::kInvalidInput, "no space"};
  return FileScores{std::string(line.substr(0, space)),
                    std::vector<double>{std::stod(std::string(line.substr(space)))}};
}

std::unique_ptr<Model> open(std::string_view text) {
  auto path = std::filesystem::path(testing::TempDir()) / "scores.txt";
  write_text_file(path, text);
  return make_file()->open({.argument = path.string(), .seed = 0, .read_line = read_pair});
}

TEST(File, FindsLinesInAnyOrderAndPassesOverBlankOnes) {
  auto model = open("b 2\n\na 1");
  EXPECT_EQ(model->score({.item = "a"})->values[0], 1.0);
  EXPECT_EQ(model->score({.item = "b"})->values[0], 2.0);
}

TEST(File, AnswersAMissingGroupWithAnErrorOfItsOwn) {
  EXPECT_FALSE(open("a 1\n")->score({.item = "c"}));
}

TEST(File, RefusesAGroupListedTwiceNamingBothLines) {
  try {
    open("a 1\nb 2\na 3\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("line 3"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("line 1"), std::string::npos);
  }
}

TEST(File, NamesTheLineItCannotRead) {
  try {
    open("a 1\nbroken\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.where().find("line 2"), std::string::npos);
  }
}

TEST(File, CountsLinesOfALongFile) {
  std::string text;
  for (int i = 1; i < 5000; ++i) text += (i % 7 == 0 ? "" : std::to_string(i) + " 1") + "\n";
  try {
    open(text + "broken\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(error.where().ends_with("line 5000")) << error.where();
  }
}

}  // namespace
}  // namespace snellen::models
