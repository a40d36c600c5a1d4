// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/seen_keys.h"

#include <gtest/gtest.h>

#include "snellen/base/splitmix.h"

namespace snellen {
namespace {

ContentKey key_of(uint64_t number) {
  return {splitmix64(number), splitmix64(~number)};
}

TEST(SeenKeys, HasNothingThatWasNotAdded) {
  SeenKeys keys;
  uint64_t num_kept = 0;
  for (uint64_t i = 0; i < 2'000'000; ++i) keys.add(key_of(i));
  for (uint64_t i = 0; i < 2'000'000; ++i) num_kept += keys.has(key_of(i)) ? 1 : 0;
  EXPECT_GT(num_kept, 400'000U);
  for (uint64_t i = 2'000'000; i < 4'000'000; ++i) ASSERT_FALSE(keys.has(key_of(i)));
  EXPECT_FALSE(keys.has({0, 0}));
}

TEST(SeenKeys, RemembersTheLastOfAPlace) {
  SeenKeys keys;
  keys.add({5, 2});
  EXPECT_TRUE(keys.has({5, 2}));
  EXPECT_FALSE(keys.has({5, 4}));
  keys.add({5, 4});
  EXPECT_TRUE(keys.has({5, 4}));
  EXPECT_FALSE(keys.has({5, 2}));
}

}  // namespace
}  // namespace snellen
