// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/word_cache.h"

namespace snellen::text {

WordCache::WordCache(size_t num_words) {
  size_t size = 2;
  while (size < num_words * 2 + 2) {
    size *= 2;
    --shift_;
  }
  mask_ = size - 1;
  slots_.assign(size, {});
}

void WordCache::set(const Key& key, TokenId id) {
  size_t slot = slot_of(key);
  while (slots_[slot].id != Vocabulary::kAbsent && !(slots_[slot].key == key))
    slot = (slot + 1) & mask_;
  slots_[slot] = {key, id};
}

}  // namespace snellen::text
