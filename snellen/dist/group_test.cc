// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/group.h"

#include <array>

#include <gtest/gtest.h>

namespace snellen::dist {
namespace {

TEST(GroupOfOne, GivesBackItsOwnValues) {
  std::unique_ptr<Group> group = join_group(Launch{});
  EXPECT_EQ(group->rank(), 0);
  EXPECT_EQ(group->size(), 1);
  EXPECT_EQ(group->local_size(), 1);
  std::array<float, 2> values = {1.5F, -2};
  group->sum(values);
  EXPECT_EQ(values, (std::array<float, 2>{1.5F, -2}));
  EXPECT_EQ(group->gather(values), (std::vector<float>{1.5F, -2}));
  group->barrier();
  EXPECT_TRUE(any_of(*group, true));
  EXPECT_FALSE(any_of(*group, false));
  EXPECT_TRUE(group->leave(0));
}

TEST(GroupOfOne, SendsMessagesToItself) {
  std::unique_ptr<Group> group = group_of_one();
  std::string message = "hello";
  EXPECT_FALSE(group->link().poll());
  EXPECT_TRUE(group->link().try_send(0, message));
  EXPECT_EQ(group->link().poll()->bytes, "hello");
}

}  // namespace
}  // namespace snellen::dist
