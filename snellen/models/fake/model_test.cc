// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <gtest/gtest.h>

#include "snellen/testing/asked_pairs.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_fake();
namespace {

TEST(Fake, DependsOnPictureTextAndSeedAlone) {
  auto model = make_fake()->open({.argument = "", .seed = 1, .read_line = {}});
  auto other = make_fake()->open({.argument = "", .seed = 2, .read_line = {}});
  const snellen::testing::AskedPairs asked({{"a.jpg", "a dog"}, {"b.jpg", "a dog"}});
  const snellen::testing::AskedPairs turned({{"b.jpg", "a dog"}, {"a.jpg", "a dog"}});
  const std::vector<double> scores = asked.scored_by(*model)->values;
  EXPECT_EQ(scores[0], turned.scored_by(*model)->values[1]);
  EXPECT_NE(scores[0], scores[1]);
  EXPECT_NE(scores[0], asked.scored_by(*other)->values[0]);
}

TEST(Fake, WaitsWhenAskedAndScoresTheSame) {
  auto model = make_fake()->open({.argument = "", .seed = 1, .read_line = {}});
  auto slow = make_fake()->open({.argument = "wait=2000", .seed = 1, .read_line = {}});
  const std::vector<snellen::testing::NamedPair> pairs = {{"a.jpg", "a dog"}};
  const snellen::testing::AskedPairs asked(pairs);
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(asked.scored_by(*slow)->values, asked.scored_by(*model)->values);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(2));
  for (const char* bad : {"wait", "wait=", "wait=x", "wait=-1", "wait=99999999", "slow"})
    EXPECT_THROW(make_fake()->open({.argument = bad, .seed = 1, .read_line = {}}), Error) << bad;
}

}  // namespace
}  // namespace snellen::models
