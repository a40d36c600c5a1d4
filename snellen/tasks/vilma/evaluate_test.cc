// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/evaluate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/annotations/vilma/vilma_results_writer.h"
#include "snellen/base/files.h"

namespace snellen::tasks::vilma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::string item(std::string_view foils, int main_votes, int prof_votes) {
  return fmt::format(
      R"({{"caption": "c", "foils": {}, "proficiency": {{"caption": "p", "foils": ["q"], )"
      R"("human": {{"caption": {}}}}}, "mturk": {{"caption": {}}}}})",
      foils,
      prof_votes,
      main_votes);
}

class VilmaEvaluateTest : public testing::Test {
 protected:
  fs::path write(const std::string& name, std::string_view json) {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const fs::path path =
        fs::path(testing::TempDir()) / (std::string("vilma_evaluate_") + test->name()) / name;
    write_text_file(path, json);
    return path;
  }

  // "1" two foils, "2" one foil, "3" fails the main votes, "4" fails the proficiency vote, "5" is
  // degenerate.
  EvaluatedItems items(const Selection& selection = {}) {
    const std::vector<fs::path> files = {
        write("a.json",
              fmt::format(R"({{"2": {}, "1": {}, "3": {}, "4": {}, "5": {}}})",
                          item(R"(["f"])", 2, 1),
                          item(R"(["f", "g"])", 3, 1),
                          item(R"(["f"])", 1, 1),
                          item(R"(["f"])", 3, 0),
                          item(R"(["c"])", 3, 1)))};
    return read_evaluated_items(files, selection);
  }

  annotations::VilmaResults results(std::string_view json) {
    return read_results(write("r.json", json), false);
  }
};

std::vector<std::string> ids_of(const EvaluatedItems& evaluated) {
  std::vector<std::string> ids;
  for (const EvaluatedItem& one : evaluated.items) ids.push_back(one.id);
  return ids;
}

TEST_F(VilmaEvaluateTest, SelectsByVotesAndCountsThem) {
  const EvaluatedItems evaluated = items();
  EXPECT_THAT(ids_of(evaluated), ElementsAre("1", "2", "5"));
  EXPECT_EQ(evaluated.num_annotated, 5u);
  EXPECT_EQ(evaluated.num_main_valid, 4u);
  EXPECT_EQ(evaluated.num_prof_valid, 4u);
  EXPECT_THAT(evaluated.degenerate, ElementsAre("5"));
  EXPECT_EQ(evaluated.items[0].num_foils, 2u);
  EXPECT_THAT(ids_of(items({.filter = annotations::VilmaFilter::kNone})),
              ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(ids_of(items({.drop_degenerate = true})), ElementsAre("1", "2"));
}

TEST_F(VilmaEvaluateTest, NamesTheItemWithoutVotes) {
  const std::vector<fs::path> files = {
      write("a.json", R"({"x": {"caption": "c", "foils": ["f"]}})")};
  try {
    (void)read_evaluated_items(files, {});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("'x'"));
    EXPECT_THAT(error.what(), HasSubstr("--filter none"));
  }
  EXPECT_EQ(read_evaluated_items(files, {.filter = annotations::VilmaFilter::kNone}).items.size(),
            1u);
}

TEST_F(VilmaEvaluateTest, IgnoresExtraIdsAndTellsMainFromProficiency) {
  const auto main = results(
      R"({"1": {"scores": [3, 1, 2]}, "2": {"scores": [3, 1]}, "5": {"scores": [1, 1]}, "zz": {"scores": [1]}})");
  const Evaluation evaluation = evaluate_file(items(), main, ScoredTexts::kAuto, {});
  EXPECT_EQ(evaluation.texts, ScoredTexts::kMain);
  EXPECT_EQ(evaluation.report.num_correct, 2.0);
  EXPECT_EQ(evaluation.report.num_ties, 1u);
  const auto prof =
      results(R"({"1": {"scores": [3, 1]}, "2": {"scores": [3, 1]}, "5": {"scores": [2, 1]}})");
  EXPECT_EQ(evaluate_file(items(), prof, ScoredTexts::kAuto, {}).texts, ScoredTexts::kProficiency);
  EXPECT_THROW((void)evaluate_file(items(), prof, ScoredTexts::kMain, {}), Error);
}

TEST_F(VilmaEvaluateTest, ListsProblems) {
  const auto some = results(R"({"1": {"scores": [3, 1, NaN]}, "2": {"scores": [3, 1, 2, 4]}})");
  const metrics::FoilProblems problems = file_problems(items(), some, ScoredTexts::kMain, {});
  EXPECT_THAT(problems.missing, ElementsAre("5"));
  EXPECT_THAT(problems.wrong_length, ElementsAre("2"));
  EXPECT_THAT(problems.non_finite, ElementsAre("1"));
}

TEST_F(VilmaEvaluateTest, PairsProficiencyWithMain) {
  const auto prof =
      results(R"({"1": {"scores": [3, 1]}, "2": {"scores": [1, 3]}, "5": {"scores": [2, 1]}})");
  const auto main =
      results(R"({"1": {"scores": [3, 1, 2]}, "2": {"scores": [3, 1]}, "5": {"scores": [1, 1]}})");
  const metrics::FoilReport report = evaluate_pair(items(), prof, main, {}).report;
  EXPECT_EQ(report.num_correct, 1.0);
  EXPECT_EQ(report.rows[0].num_foils, 2u);
  EXPECT_EQ(report.rows[0].num_prof_foils, 1u);
  metrics::FoilRules compat;
  compat.is_compat = true;
  EXPECT_EQ(evaluate_pair(items(), prof, main, compat).report.num_correct, 2.0);
}

TEST_F(VilmaEvaluateTest, MergedResultsOverTheUnionEqualThePooledCounts) {
  const fs::path a = write(
      "ar.json",
      fmt::format(R"({{"1": {}, "2": {}}})", item(R"(["f", "g"])", 3, 1), item(R"(["f"])", 3, 1)));
  const fs::path b = write(
      "as.json",
      fmt::format(R"({{"10": {}, "3": {}}})", item(R"(["f"])", 3, 1), item(R"(["f"])", 3, 1)));
  const fs::path ra = write("ra.json", R"({"1": {"scores": [3, 1, 2]}, "2": {"scores": [1, 2]}})");
  const fs::path rb = write("rb.json", R"({"10": {"scores": [3, 1]}, "3": {"scores": [2, 2]}})");
  const fs::path merged = write("merged.json", "{}");
  annotations::merge_vilma_results(std::vector<fs::path>{ra, rb},
                                   merged,
                                   annotations::VilmaLayout::kIndent4,
                                   annotations::OnConflict::kError);
  auto correct = [](std::vector<fs::path> files, const fs::path& scores) {
    return evaluate_file(
               read_evaluated_items(files, {}), read_results(scores, false), ScoredTexts::kMain, {})
        .report;
  };
  const metrics::FoilReport pooled = correct({a, b}, merged);
  EXPECT_EQ(pooled.rows.size(), 4u);
  EXPECT_EQ(pooled.num_correct, correct({a}, ra).num_correct + correct({b}, rb).num_correct);
  EXPECT_EQ(pooled.num_correct, 2.0);
  EXPECT_EQ(pooled.num_ties, 1u);
}

}  // namespace
}  // namespace snellen::tasks::vilma
