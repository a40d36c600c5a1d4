// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/paired_part.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/testing/handmade_run.h"

namespace snellen::report {
namespace {

PairedPart join(const HandmadeRun& first,
                const HandmadeRun& second,
                size_t max_disagreements = 10) {
  store::Samples a = store::Samples::open_to_read(write_run("part_a", first) / "samples.db");
  store::Samples b = store::Samples::open_to_read(write_run("part_b", second) / "samples.db");
  DistinctIds clusters;
  return join_part(
      {a, first.tasks[0], 0, 0, "a"}, {b, second.tasks[0], 0, 0, "b"}, clusters, max_disagreements);
}

TEST(JoinPart, PairsByIdWhateverThePositions) {
  HandmadeRun first{
      .tasks = one_task(),
      .samples = {scored(0, "x", 1, 0.5), scored(1, "y", 0, 0.25), scored(2, "only-a", 1, 9)}};
  HandmadeRun second{
      .tasks = one_task(),
      .samples = {scored(3, "y", 1, 1.0), scored(4, "only-b", 1, 9), scored(7, "x", 1, 0.25)}};
  PairedPart part = join(first, second);
  EXPECT_EQ(part.first_scored, 3U);
  EXPECT_EQ(part.second_scored, 3U);
  // [items, columns]: acc, conf, decision; x comes first because it does in the first run.
  EXPECT_EQ(part.differences, (std::vector<double>{0, -0.25, 0, 1, 0.75, 1}));
  EXPECT_EQ(part.columns[0].counts.both_right, 1U);
  EXPECT_EQ(part.columns[0].counts.only_second, 1U);
  EXPECT_EQ(part.columns[1].first_sum.value(), 0.75);
  EXPECT_EQ(part.columns[1].second_sum.value(), 1.25);
}

TEST(JoinPart, CountsUndefinedFailedAndTiedItems) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  HandmadeRun first = run_of("1101", {1, 2, 3, 4});
  HandmadeRun second = run_of("1011", {1, nan, 3, 4});
  first.samples[0].ties = 1;
  second.samples[0].ties = 3;
  first.samples[3].status = store::SampleStatus::kFailed;
  first.samples[3].values.clear();
  second.samples[2].is_correct = std::nullopt;
  PairedPart part = join(first, second);
  EXPECT_EQ(part.first_unscored, 1U);
  EXPECT_EQ(part.clusters.size(), 3U);
  EXPECT_EQ(part.columns[0].n, 3U);
  EXPECT_EQ(part.columns[0].first_ties, 1U);
  EXPECT_EQ(part.columns[1].first_ties, 0U);
  EXPECT_EQ(part.columns[1].second_ties, 1U);
  EXPECT_EQ(part.columns[1].num_undefined, 1U);
  EXPECT_EQ(part.columns[2].n, 2U);
  EXPECT_TRUE(std::isnan(part.differences[4]));
}

TEST(JoinPart, ListsTheMarginsFurthestApartEarlierItemsFirst) {
  PairedPart part = join(run_of("0000", {0, 0, 0, 0}), run_of("0000", {1, -3, 3, 0}), 2);
  ASSERT_EQ(part.disagreements.size(), 2U);
  EXPECT_EQ(part.disagreements[0].item, "1");
  EXPECT_EQ(part.disagreements[1].item, "2");
  EXPECT_EQ(join(run_of("00", {5, 6}), run_of("00", {5, 6})).disagreements.size(), 0U);
}

TEST(JoinPart, KeepsColumnsBothHaveByName) {
  HandmadeRun second = run_of("10", {7, 8});
  second.tasks[0].columns = {{.name = "conf"},
                             {.name = "acc"}};  // swapped, and acc is no share there
  for (store::Sample& sample : second.samples) std::swap(sample.values[0], sample.values[1]);
  PairedPart part = join(run_of("11", {5, 5}), second);
  ASSERT_EQ(part.columns.size(), 2U);
  EXPECT_EQ(part.columns[0].name, "conf");
  EXPECT_EQ(part.columns[0].second_sum.value(), 15.0);
}

TEST(JoinPart, GivesItemsWithoutClusterAClusterEach) {
  PairedPart part = join(run_of("11"), run_of("11"));
  EXPECT_NE(part.clusters[0], part.clusters[1]);
}

TEST(JoinPart, RefusesSamplesThatDoNotFit) {
  HandmadeRun good = run_of("11");
  HandmadeRun bad = good;
  bad.samples[1].item = "0";
  EXPECT_THROW(join(bad, good), Error);
  EXPECT_THROW(join(good, bad), Error);
  bad = good;
  bad.samples[1].values = {1.0};
  EXPECT_THROW(join(good, bad), Error);
  bad = good;
  bad.samples[1].values[0] = 0.5;  // a share is 0 or 1
  EXPECT_THROW(join(good, bad), Error);
}

}  // namespace
}  // namespace snellen::report
