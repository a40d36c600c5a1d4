// SPDX-License-Identifier: Apache-2.0
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

}  // namespace
}  // namespace snellen::models
