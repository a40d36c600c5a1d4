// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "snellen/metrics/text/ngram_table.h"

namespace snellen::metrics {

// An NgramTable in kShards parts that can be filled at once: which part an n-gram belongs to is
// decided by its key, so its number does not depend on how many threads there were, only on the
// order within the part. Numbers count up from NgramTable::kFirst with gaps.
class ShardedNgrams {
 public:
  static constexpr size_t kShards = 16;

  static size_t shard_of(uint32_t prefix, uint32_t word) {
    uint64_t mixed = (uint64_t{prefix} << 32 | word) * 0xD6E8FEB86659FD93u;
    return (mixed ^ mixed >> 29) * 0x9FB21C651E98DF25u >> 60;
  }

  // Different shards may be filled by different threads.
  uint32_t add(size_t shard, uint32_t prefix, uint32_t word) {
    return number_of(shard, tables_[shard].add(prefix, word));
  }
  uint32_t find(uint32_t prefix, uint32_t word) const {
    size_t shard = shard_of(prefix, word);
    uint32_t local = tables_[shard].find(prefix, word);
    return local == NgramTable::kAbsent ? local : number_of(shard, local);
  }
  // One more than the largest number, counted from kFirst.
  size_t end() const;

 private:
  static uint32_t number_of(size_t shard, uint32_t local) {
    return NgramTable::kFirst + (local - NgramTable::kFirst) * static_cast<uint32_t>(kShards) +
           static_cast<uint32_t>(shard);
  }

  std::array<NgramTable, kShards> tables_;
};

}  // namespace snellen::metrics
