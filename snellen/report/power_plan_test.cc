// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/power_plan.h"

#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_run.h"

namespace snellen::report {
namespace {

// Half of the items right, `per_picture` of them to a picture and all of these alike.
HandmadeRun clustered(size_t num_pictures, size_t per_picture, size_t first_right) {
  std::string pattern;
  for (size_t i = 0; i < num_pictures; ++i)
    pattern += std::string(per_picture, (i + first_right) % 2 == 0 ? '1' : '0');
  HandmadeRun run = run_of(pattern);
  for (store::Sample& sample : run.samples)
    sample.clusters = {"picture" + std::to_string(sample.position / per_picture)};
  return run;
}

TEST(PowerPlan, OfAShareIsConnorsFormulaTimesTheDesignEffect) {
  PowerPlan plan = plan_power({.difference = 0.05,
                               .correlation = 0.5,
                               .share = 0.5,
                               .items_per_cluster = 5,
                               .cluster_correlation = 0.25});
  EXPECT_DOUBLE_EQ(*plan.discordant_share, 0.25);
  EXPECT_DOUBLE_EQ(plan.design_effect, 2.0);
  // (1.95996 sqrt(0.25) + 0.84162 sqrt(0.25 - 0.0025))^2 / 0.0025 = 783.3 independent items.
  double root = 1.959963984540054 * 0.5 + 0.8416212335729143 * std::sqrt(0.2475);
  EXPECT_EQ(*plan.items, static_cast<uint64_t>(std::ceil(2.0 * root * root / 0.0025)));
  EXPECT_EQ(*plan.clusters, static_cast<uint64_t>(std::ceil(0.4 * root * root / 0.0025)));
}

TEST(PowerPlan, TakesClustersOfAPilotForWhatTheyTell) {
  PowerPlan plan = plan_power(
      {.pilots = {write_run("pilot", clustered(100, 4, 0))}, .metric = "t", .difference = 0.1});
  EXPECT_EQ(plan.pilot_items, 400U);
  EXPECT_EQ(plan.pilot_clusters, 100U);
  EXPECT_NEAR(plan.design_effect, 4.0, 0.1);  // four equal items tell as much as one
  PowerPlan column = plan_power(
      {.pilots = {write_run("pilot", clustered(100, 4, 0))}, .metric = "t/acc", .difference = 0.1});
  EXPECT_EQ(column.items, plan.items);
}

TEST(PowerPlan, CountsThePicturesOfAllPartsOfATask) {
  HandmadeRun run = clustered(10, 2, 0);
  run.tasks[0].parts = {{"p", 10}, {"q", 10}};
  for (store::Sample& sample : run.samples) sample.part = sample.position < 10 ? 0 : 1;
  PowerPlan plan = plan_power({.pilots = {write_run("parts", run)}, .difference = 0.1});
  EXPECT_EQ(plan.pilot_clusters, 10U);
}

TEST(PowerPlan, OfTwoPilotsTakesTheirDifferences) {
  PowerPlan plan = plan_power({.pilots = {write_run("pilot_a", clustered(100, 4, 0)),
                                          write_run("pilot_b", clustered(100, 4, 1))},
                               .difference = 0.1});
  EXPECT_EQ(*plan.discordant_share, 1.0);
  EXPECT_NEAR(plan.design_effect, 4.0, 0.1);
  EXPECT_EQ(plan.metric, "t");
}

TEST(PowerPlan, SaysThatNoNumberIsEnough) {
  PowerPlan plan = plan_power({.difference = 0.3, .correlation = 0.9, .share = 0.5});
  EXPECT_FALSE(plan.items);
  EXPECT_NE(power_plan_as_text(plan).find("no number of items is enough"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::parse(power_plan_as_json(plan))["items"].is_null());
}

TEST(PowerPlan, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(plan_power({.difference = 0.1}), Error);  // neither pilot nor share
  EXPECT_THROW(plan_power({.difference = 0.0, .share = 0.5}), Error);
  EXPECT_THROW(plan_power({.difference = 0.1, .share = 1.5}), Error);
  EXPECT_THROW(plan_power({.pilots = {write_run("pilot", clustered(10, 4, 0))},
                           .metric = "t/none",
                           .difference = 0.1}),
               Error);
}

}  // namespace
}  // namespace snellen::report
