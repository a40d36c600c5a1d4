// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/results.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::store {
namespace {

TEST(Results, AreOrderedByIdAndReadBack) {
  Results results{
      .run = "r",
      .metrics = {{.id = "b", .value = 0.5, .n = 4, .low = 0.1, .high = 0.9, .interval = "wilson"},
                  {.id = "a", .n = 0, .reason = "no item was scored"}}};
  std::string json = results_to_json(results);
  Results back = results_from_json(json, "f");
  EXPECT_EQ(back.metrics[0].id, "a");
  EXPECT_TRUE(std::isnan(back.metrics[0].value));
  EXPECT_EQ(back.metrics[0].reason, "no item was scored");
  EXPECT_EQ(back.metrics[1].low, 0.1);
  EXPECT_EQ(results_to_json(back), json);
  EXPECT_EQ(json.find("tie_rule"), std::string::npos);
  back.tie_rule = "half";
  EXPECT_EQ(results_from_json(results_to_json(back), "here").tie_rule, "half");
}

TEST(Results, RefusesOtherFiles) {
  EXPECT_THROW(results_from_json("[]", "f"), Error);
  EXPECT_THROW(results_from_json("{\"schema\": 7}", "f"), Error);
  Results results{.run = "r", .metrics = {{.id = "a", .n = 4}}};
  std::string negative = results_to_json(results);
  negative.replace(negative.find("\"n\": 4"), 6, "\"n\": -1");
  EXPECT_THROW(results_from_json(negative, "f"), Error);
  EXPECT_THROW(results_from_json("{\"schema\": 1, \"run\": \"r\", \"metrics\": [{}]}", "f"), Error);
}

}  // namespace
}  // namespace snellen::store
