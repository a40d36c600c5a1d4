// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/rng.h"

#include <gtest/gtest.h>

namespace snellen {
namespace {

TEST(Rng, ForksByPurposeAndIdIntoTheKeysOfTheSpec) {
  EXPECT_EQ(Rng(20240611).fork("probe-r").fork(8455).key(), "20240611|probe-r|8455");
  EXPECT_EQ(Rng("20240611|probe-r|8455").next(), 7807877538400428159U);
}

TEST(Rng, ForkDoesNotDependOnDrawsMade) {
  Rng drawn(1);
  drawn.next();
  EXPECT_EQ(drawn.fork("a").next(), Rng(1).fork("a").next());
}

TEST(Rng, BelowOneConsumesADraw) {
  Rng a("k");
  Rng b("k");
  EXPECT_EQ(a.below(1), 0U);
  b.next();
  EXPECT_EQ(a.next(), b.next());
}

TEST(Rng, SampleFailsWhenTooFewPass) {
  std::vector<int> items = {1, 2, 3};
  EXPECT_FALSE(Rng(0).sample_filtered<int>(items, 2, [](int x) { return x == 2; }));
  EXPECT_EQ(Rng(0).sample_filtered<int>(items, 1, [](int x) { return x == 2; })->front(), 2);
}

TEST(Rng, PickFallsBackToTheListOfThosePassing) {
  std::vector<int> items(1000);
  items[999] = 1;
  EXPECT_EQ(Rng(0).pick<int>(items, [](int x) { return x == 1; }), 1);
  EXPECT_FALSE(Rng(0).pick<int>(items, [](int x) { return x == 2; }));
}

}  // namespace
}  // namespace snellen
