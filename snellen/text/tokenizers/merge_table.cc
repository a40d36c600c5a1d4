// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/merge_table.h"

namespace snellen::text {

MergeTable::MergeTable(size_t num_merges) {
  size_t size = 2;
  while (size < num_merges * 2 + 2) {
    size *= 2;
    --shift_;
  }
  mask_ = size - 1;
  slots_.assign(size, {kFree, {}});
}

void MergeTable::set(TokenId left, TokenId right, Merge merge) {
  uint64_t key = key_of(left, right);
  size_t slot = slot_of(key);
  while (slots_[slot].key != kFree && slots_[slot].key != key) slot = (slot + 1) & mask_;
  slots_[slot] = {key, merge};
}

}  // namespace snellen::text
