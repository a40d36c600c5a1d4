// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/sharded_ngrams.h"

#include <gtest/gtest.h>

#include <set>

namespace snellen::metrics {
namespace {

TEST(ShardedNgrams, FindsWhatWasAddedUnderNumbersOfItsOwn) {
  ShardedNgrams table;
  std::set<uint32_t> numbers;
  for (uint32_t prefix = 0; prefix < 40; ++prefix) {
    for (uint32_t word = 0; word < 40; ++word) {
      uint32_t number = table.add(ShardedNgrams::shard_of(prefix, word), prefix, word);
      EXPECT_EQ(table.find(prefix, word), number);
      EXPECT_LT(number - NgramTable::kFirst, table.end());
      numbers.insert(number);
    }
  }
  EXPECT_EQ(numbers.size(), 1600U);
  EXPECT_EQ(table.find(41, 0), NgramTable::kAbsent);
}

TEST(ShardedNgrams, SpreadsKeysOverAllShards) {
  std::set<size_t> shards;
  for (uint32_t word = 0; word < 400; ++word) shards.insert(ShardedNgrams::shard_of(7, word));
  EXPECT_EQ(shards.size(), ShardedNgrams::kShards);
}

}  // namespace
}  // namespace snellen::metrics
