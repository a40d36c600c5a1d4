// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/sharded_ngrams.h"

#include <algorithm>

namespace snellen::metrics {

size_t ShardedNgrams::end() const {
  size_t longest = 0;
  for (const NgramTable& table : tables_) longest = std::max(longest, table.size());
  return longest * kShards;
}

}  // namespace snellen::metrics
