// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/ngram_table.h"

#include <bit>

#include "snellen/base/error.h"

namespace snellen::metrics {

uint32_t NgramTable::add(uint32_t prefix, uint32_t word) {
  uint64_t key = key_of(prefix, word);
  Slot& slot = slots_[slot_of(key)];
  if (slot.id != kAbsent) return slot.id;
  if (kFirst + keys_.size() == kAbsent)
    throw Error{ErrorCode::kInvalidInput, "more than two billion distinct n-grams"};
  uint32_t id = kFirst + static_cast<uint32_t>(keys_.size());
  slot = {key, id};
  keys_.push_back(key);
  if (2 * keys_.size() > slots_.size()) grow();
  return id;
}

void NgramTable::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  shift_ = 64 - std::countr_zero(slots_.size());
  for (const Slot& slot : old) {
    if (slot.id != kAbsent) slots_[slot_of(slot.key)] = slot;
  }
}

}  // namespace snellen::metrics
