// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/testing/handmade_run.h"

namespace snellen::report {
namespace {

namespace fs = std::filesystem;

Comparison compare(const std::vector<HandmadeRun>& runs,
                   const CompareOptions& options = {.bootstrap = 200}) {
  std::vector<fs::path> folders;
  for (size_t i = 0; i < runs.size(); ++i)
    folders.push_back(write_run("compare_" + std::to_string(i), runs[i]));
  return compare_runs(folders, options);
}

const ComparedRow& row_of(const Comparison& comparison, const std::string& id, size_t run = 1) {
  auto found = std::find_if(comparison.rows.begin(),
                            comparison.rows.end(),
                            [&](const ComparedRow& row) { return row.id == id && row.run == run; });
  if (found == comparison.rows.end()) throw std::runtime_error("no row " + id);
  return *found;
}

TEST(CompareRuns, CountsAndTestsTheHeadlineDecision) {
  Comparison found = compare({run_of("1110001000"), run_of("1101111110")});
  const ComparedRow& row = row_of(found, "t");
  EXPECT_EQ(row.kind, RowKind::kTask);
  EXPECT_EQ(row.n, 10U);
  EXPECT_EQ(row.counts->both_right, 3U);
  EXPECT_EQ(row.counts->only_first, 1U);
  EXPECT_EQ(row.counts->only_second, 5U);
  EXPECT_EQ(row.counts->both_wrong, 1U);
  EXPECT_NEAR(*row.p, 14.0 / 64, 1e-15);
  EXPECT_NEAR(*row.p_holm, 14.0 / 64, 1e-15);  // alone in its family
  EXPECT_NEAR(row.difference, 0.4, 1e-15);
  EXPECT_EQ(row_of(found, "t/acc").n, 10U);
}

TEST(CompareRuns, FindsNothingBetweenARunAndItself) {
  HandmadeRun run = run_of("1100", {0.1, 0.2, 0.3, 0.4});
  fs::path folder = write_run("itself", run);
  Comparison found = compare_runs(std::vector<fs::path>{folder, folder}, {.bootstrap = 100});
  for (const ComparedRow& row : found.rows) {
    EXPECT_EQ(row.difference, 0.0) << row.id;
    EXPECT_EQ(row.p, 1.0) << row.id;
    EXPECT_EQ(row.p_holm, 1.0) << row.id;
  }
  EXPECT_TRUE(found.items.empty());
  EXPECT_TRUE(found.warnings.empty());
}

TEST(CompareRuns, UsesTheCommonItemsAndSaysHowMany) {
  HandmadeRun second = run_of("1111");
  second.samples[3].item = "other";
  Comparison found = compare({run_of("10101"), second});
  ASSERT_EQ(found.coverage.size(), 1U);
  EXPECT_EQ(found.coverage[0].first_scored, 5U);
  EXPECT_EQ(found.coverage[0].second_scored, 4U);
  EXPECT_EQ(found.coverage[0].common, 3U);
  EXPECT_FALSE(found.coverage[0].is_whole());
  EXPECT_EQ(row_of(found, "t").n, 3U);
}

TEST(CompareRuns, AdjustsOverAllLaterRuns) {
  // b = 0, c = 5: p = 2/32; b = 0, c = 1: p = 1.
  Comparison found = compare({run_of("00000"), run_of("11111"), run_of("10000")});
  EXPECT_EQ(found.family_size(RowKind::kTask), 2U);
  EXPECT_NEAR(*row_of(found, "t", 1).p, 2.0 / 32, 1e-15);
  EXPECT_NEAR(*row_of(found, "t", 1).p_holm, 4.0 / 32, 1e-15);
  EXPECT_EQ(*row_of(found, "t", 2).p_holm, 1.0);
}

TEST(CompareRuns, PoolsPartsIntoTheTasksDecision) {
  HandmadeRun first{.tasks = {{.name = "t",
                               .parts = {{"p", 2}, {"q", 2}},
                               .columns = {{.name = "acc", .is_share = true}, {.name = "conf"}}}},
                    .samples = {scored(0, "p/0", 1, 0),
                                scored(1, "p/1", 0, 0),
                                scored(2, "q/0", 0, 0),
                                scored(3, "q/1", 0, 0)}};
  first.samples[2].part = 1;
  first.samples[3].part = 1;
  HandmadeRun second = first;
  second.samples[2].values[0] = 1;
  second.samples[2].is_correct = true;
  Comparison found = compare({first, second});
  EXPECT_EQ(row_of(found, "t").n, 4U);
  EXPECT_EQ(row_of(found, "t").counts->only_second, 1U);
  EXPECT_EQ(row_of(found, "t/p").counts->only_second, 0U);
  EXPECT_EQ(row_of(found, "t/q").kind, RowKind::kPart);
  EXPECT_EQ(row_of(found, "t/q/acc").counts->only_second, 1U);
  EXPECT_EQ(found.family_size(RowKind::kPart), 2U);
}

TEST(CompareRuns, TestsSharedClustersWholeAndWarnsOfMcNemar) {
  HandmadeRun first = run_of("1010", {1, 2, 3, 4});
  for (store::Sample& sample : first.samples) sample.clusters = {sample.position < 2 ? "x" : "y"};
  HandmadeRun second = run_of("1111", {2, 3, 4, 9});
  Comparison found = compare({first, second});
  EXPECT_EQ(row_of(found, "t/acc").interval->method, "cluster-bootstrap");
  EXPECT_EQ(row_of(found, "t/acc").p_method, "cluster-sign-flip");
  EXPECT_EQ(row_of(found, "t/conf").p_method, "cluster-sign-flip");
  EXPECT_TRUE(found.warnings.empty());
  found = compare({first, second}, {.bootstrap = 200, .test = PairedTest::kMcNemar});
  EXPECT_EQ(row_of(found, "t/acc").p_method, "mcnemar-exact");
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings[0].find("items share pictures"), std::string::npos);
}

TEST(CompareRuns, SaysWhyATaskHasNoInterval) {
  Comparison found = compare({run_of("1010"), run_of("1111")}, {});
  EXPECT_FALSE(row_of(found, "t").interval);
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0], "t: too few items for an interval (4 of them)");
}

TEST(CompareRuns, RanksThreeRunsOrMore) {
  std::string none(30, '0');
  std::string all(30, '1');
  Comparison found = compare({run_of(none), run_of(all), run_of(none)});
  ASSERT_EQ(found.ranks.size(), 3U);
  EXPECT_EQ(found.ranks[1].rank, 1U);
  EXPECT_EQ(found.ranks[1].high, 1U);
  EXPECT_EQ(found.ranks[1].value, 1.0);
  EXPECT_EQ(found.ranks[0].low, 2U);
  EXPECT_EQ(found.ranks[2].high, 3U);
  EXPECT_TRUE(compare({run_of(none), run_of(all)}).ranks.empty());
}

TEST(CompareRuns, LeavesUndefinedValuesOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Comparison found = compare({run_of("11", {nan, nan}), run_of("11", {1, 2})});
  EXPECT_EQ(row_of(found, "t/conf").n, 0U);
  EXPECT_EQ(row_of(found, "t/conf").num_undefined, 2U);
  EXPECT_TRUE(std::isnan(row_of(found, "t/conf").difference));
  EXPECT_FALSE(row_of(found, "t/conf").p_holm.has_value());
}

TEST(CompareRuns, ListsPooledMetricsUnpaired) {
  HandmadeRun first = run_of("11");
  first.metrics = {{.id = "t/acc", .value = 1, .n = 2}, {.id = "t/auroc", .value = 0.5, .n = 2}};
  HandmadeRun second = first;
  second.metrics[1].value = 0.75;
  Comparison found = compare({first, second});
  ASSERT_EQ(found.pooled.size(), 1U);
  EXPECT_EQ(found.pooled[0].id, "t/auroc");
  EXPECT_EQ(found.pooled[0].second, 0.75);
}

TEST(CompareRuns, RefusesRunsWithNothingInCommon) {
  HandmadeRun second = run_of("11");
  for (store::Sample& sample : second.samples) sample.item += "x";
  try {
    compare({run_of("11"), second});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_NE(error.message().find("no scored item in common"), std::string::npos);
  }
}

TEST(CompareRuns, WarnsAboutAnUnfinishedRun) {
  HandmadeRun second = run_of("11");
  second.stamp = R"({"verdict": "interrupted", "identity": {"settings": {"name": "m"}}})";
  Comparison found = compare({run_of("11"), second});
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_NE(found.warnings[0].find("B is interrupted"), std::string::npos);
}

TEST(CompareRuns, RefusesWrongCountsAndDamagedFolders) {
  fs::path good = write_run("good", run_of("11"));
  EXPECT_THROW(compare_runs(std::vector<fs::path>{good}, {}), Error);
  EXPECT_THROW(compare_runs(std::vector<fs::path>(27, good), {}), Error);
  EXPECT_THROW(compare_runs(std::vector<fs::path>{good, good}, {.confidence = 1.5}), Error);
  EXPECT_THROW(compare_runs(std::vector<fs::path>{good, "/nonexistent"}, {}), Error);
  fs::path bad = write_run("bad", run_of("11"));
  write_text_file(bad / "samples.db",
                  "no database at all, but long enough to be looked at ................");
  try {
    compare_runs(std::vector<fs::path>{good, bad}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
  }
}

}  // namespace
}  // namespace snellen::report
