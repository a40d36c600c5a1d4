// SPDX-License-Identifier: Apache-2.0
#include "snellen/dist/memory_link.h"

#include <gtest/gtest.h>

namespace snellen::dist {
namespace {

bool send(Link& link, int to, std::string text) {
  return link.try_send(to, text);
}

TEST(MemoryLink, DeliversInOrderAndNamesTheSender) {
  InMemoryRanks world(3);
  auto zero = world.join(0);
  auto two = world.join(2);
  EXPECT_EQ(zero->size(), 3);
  EXPECT_FALSE(zero->poll());
  EXPECT_TRUE(send(*two, 0, "a"));
  EXPECT_TRUE(send(*two, 0, "b"));
  std::optional<Message> first = zero->poll();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->from, 2);
  EXPECT_EQ(first->bytes, "a");
  EXPECT_EQ(zero->poll()->bytes, "b");
  EXPECT_FALSE(zero->poll());
}

TEST(MemoryLink, HoldsASenderBackButNotTheOthers) {
  InMemoryRanks world(3);
  auto zero = world.join(0);
  auto one = world.join(1);
  auto two = world.join(2);
  for (size_t i = 0; i < kMostUnderWay; ++i) EXPECT_TRUE(send(*one, 0, "x"));
  std::string kept = "kept";
  EXPECT_FALSE(one->try_send(0, kept));
  EXPECT_EQ(kept, "kept");
  EXPECT_TRUE(send(*two, 0, "y"));
  zero->poll();
  EXPECT_TRUE(one->try_send(0, kept));
}

TEST(JoinedLink, ShowsTheOwnWorkerAsRankZero) {
  InMemoryRanks outside(2);
  InMemoryRanks inside(2);
  auto others = outside.join(0);
  auto own = inside.join(0);
  JoinedLink joined(*others, *own);
  auto worker = inside.join(1);
  auto remote = outside.join(1);
  EXPECT_TRUE(send(*worker, 0, "own"));
  EXPECT_TRUE(send(*remote, 0, "remote"));
  EXPECT_EQ(joined.size(), 2);
  EXPECT_EQ(joined.poll()->from, 0);
  EXPECT_EQ(joined.poll()->from, 1);
  EXPECT_TRUE(send(joined, 0, "to own"));
  EXPECT_TRUE(send(joined, 1, "to remote"));
  EXPECT_EQ(worker->poll()->bytes, "to own");
  EXPECT_EQ(remote->poll()->bytes, "to remote");
}

}  // namespace
}  // namespace snellen::dist
