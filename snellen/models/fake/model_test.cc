// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <gtest/gtest.h>

#include "snellen/models/model.h"

namespace snellen::models {
std::unique_ptr<ModelEntry> make_fake();
namespace {

TEST(Fake, DependsOnPictureTextAndSeedAlone) {
  auto model = make_fake()->open({.argument = "", .seed = 1, .read_line = {}});
  auto other = make_fake()->open({.argument = "", .seed = 2, .read_line = {}});
  std::vector<Cell> cells = {{"a.jpg", "a dog"}, {"b.jpg", "a dog"}};
  auto scores = model->score({"x", cells});
  std::vector<Cell> reversed = {cells[1], cells[0]};
  auto again = model->score({"y", reversed});
  EXPECT_EQ((*scores)[0], (*again)[1]);
  EXPECT_NE((*scores)[0], (*scores)[1]);
  EXPECT_NE((*scores)[0], (*other->score({"x", cells}))[0]);
}

TEST(Fake, WaitsWhenAskedAndScoresTheSame) {
  auto model = make_fake()->open({.argument = "", .seed = 1, .read_line = {}});
  auto slow = make_fake()->open({.argument = "wait=2000", .seed = 1, .read_line = {}});
  std::vector<Cell> cells = {{"a.jpg", "a dog"}};
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(*slow->score({"x", cells}), *model->score({"x", cells}));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(2));
  for (const char* bad : {"wait", "wait=", "wait=x", "wait=-1", "wait=99999999", "slow"})
    EXPECT_THROW(make_fake()->open({.argument = bad, .seed = 1, .read_line = {}}), Error) << bad;
}

}  // namespace
}  // namespace snellen::models
