// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/ngram_table.h"

#include "snellen/base/error.h"

namespace snellen::metrics {

void NgramTable::start(uint32_t num_words) {
  SNELLEN_CHECK(size_ == 0);
  num_words_ = num_words;
  size_ = num_words;
}

uint32_t NgramTable::add(uint32_t prefix, uint32_t word) {
  uint64_t key = key_of(prefix, word);
  Slot& slot = slots_[slot_of(key)];
  if (slot.id != kAbsent) return slot.id;
  if (size_ + 1 == kAbsent)
    throw Error{ErrorCode::kInvalidInput, "more than four billion distinct n-grams"};
  uint32_t id = size_++;
  slot = {key, id};
  if (2 * size_t{size_ - num_words_} > slots_.size()) grow();
  return id;
}

void NgramTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.id != kAbsent) slots_[slot_of(slot.key)] = slot;
  }
}

}  // namespace snellen::metrics
