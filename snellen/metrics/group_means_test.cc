// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/group_means.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::metrics {
namespace {

const std::vector<MetricColumn> kColumns = {{.name = "acc", .is_share = true, .chance = 0.5},
                                            {.name = "conf"}};

std::vector<Measurement> measured(const GroupMeans& means) {
  std::vector<Measurement> all;
  means.measure({}, all);
  return all;
}

void add(GroupMeans& means,
         const std::string& cluster,
         const std::vector<double>& values,
         uint64_t ties = 0) {
  means.add(std::vector<std::string>{cluster}, values, ties);
}

TEST(GroupMeans, CountSharesTiesAndWhatIsUndefined) {
  GroupMeans means("t/", kColumns, Resampling::kNever);
  add(means, "a", {1, 0.25}, 0b00);
  add(means, "b", {0, std::nan("")}, 0b01);
  std::vector<Measurement> all = measured(means);
  EXPECT_EQ(all[0].id, "t/acc");
  EXPECT_EQ(all[0].value, 0.5);
  EXPECT_EQ(all[0].ties, 1U);
  EXPECT_EQ(all[0].interval, "wilson");
  EXPECT_EQ(all[1].n, 1U);
  EXPECT_EQ(all[1].reason,
            "1 items with no defined value are left out; too few items for an interval");
}

TEST(GroupMeans, GiveOnlyTheColumnsThatAreNamed) {
  GroupMeans means("t/", kColumns, {1}, Resampling::kNever);
  add(means, "a", {1, 0.25}, 0b01);
  std::vector<Measurement> all = measured(means);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].id, "t/conf");
  EXPECT_EQ(all[0].value, 0.25);
  EXPECT_EQ(all[0].ties, 0U);
}

TEST(GroupMeans, TakeItemsTogetherThatShareACluster) {
  GroupMeans apart("t/", kColumns);
  add(apart, "a", {1, 0});
  add(apart, "b", {0, 0});
  EXPECT_EQ(measured(apart).front().interval, "wilson");
  GroupMeans together("t/", kColumns);
  for (int i = 0; i < 12; ++i) add(together, std::to_string(i / 2), {i < 5 ? 1.0 : 0.0, 0.5 * i});
  EXPECT_EQ(measured(together)[0].interval, "cluster-wilson");
  EXPECT_EQ(measured(together)[1].interval, "cluster-t");
}

TEST(GroupMeans, TakeItemsTogetherThatShareEitherOfTwoClusters) {
  GroupMeans means("t/", kColumns);
  for (int i = 0; i < 12; ++i) {
    const std::vector<std::string> pictures = {std::to_string(i), std::to_string((i + 1) % 12)};
    means.add(pictures, std::vector<double>{i < 5 ? 1.0 : 0.0, 0.5 * i});
  }
  EXPECT_EQ(measured(means)[0].interval, "dyadic-wilson");
  EXPECT_EQ(measured(means)[1].interval, "dyadic-t");
}

TEST(GroupMeans, SayWhyThereIsNoInterval) {
  GroupMeans few("t/", kColumns);
  add(few, "a", {1, 0});
  add(few, "a", {0, 0});
  EXPECT_EQ(measured(few)[0].interval, "");
  EXPECT_FALSE(measured(few)[0].low);
  EXPECT_EQ(measured(few)[0].reason, "too few clusters for an interval");
}

TEST(GroupMeans, DrawClustersWhereABootstrapIsAskedFor) {
  GroupMeans means("t/", kColumns);
  for (int i = 0; i < 8; ++i) add(means, std::to_string(i), {i < 3 ? 1.0 : 0.0, 0});
  std::vector<Measurement> all;
  means.measure({.bootstrap = 100}, all);
  EXPECT_EQ(all.front().interval, "cluster-bootstrap");
}

TEST(GroupMeans, OfNothingAreUndefinedWithAReason) {
  GroupMeans means("t/", kColumns, {0}, Resampling::kNever);
  Measurement none = measured(means).front();
  EXPECT_TRUE(std::isnan(none.value));
  EXPECT_EQ(none.reason, "no item was scored");
}

}  // namespace
}  // namespace snellen::metrics
