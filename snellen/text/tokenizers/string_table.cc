// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/tokenizers/string_table.h"

#include <algorithm>
#include <functional>

namespace snellen::text {
namespace {

uint64_t hash_of(std::string_view key) {
  return std::hash<std::string_view>()(key);
}

}  // namespace

size_t StringTable::set(std::string_view key, int32_t value) {
  if ((entries_.size() + 1) * 2 > slots_.size()) grow();
  uint64_t hash = hash_of(key);
  size_t slot = slot_of(key, hash);
  if (slots_[slot] != 0) {
    entries_[slots_[slot] - 1].value = value;
    return slots_[slot] - 1;
  }
  entries_.push_back({bytes_.size(), static_cast<uint32_t>(key.size()), value, hash});
  bytes_.append(key);
  slots_[slot] = static_cast<uint32_t>(entries_.size());
  longest_ = std::max(longest_, key.size());
  return entries_.size() - 1;
}

int32_t StringTable::find(std::string_view key) const {
  if (slots_.empty() || key.size() > longest_) return kAbsent;
  uint32_t entry = slots_[slot_of(key, hash_of(key))];
  return entry == 0 ? kAbsent : entries_[entry - 1].value;
}

size_t StringTable::slot_of(std::string_view key, uint64_t hash) const {
  size_t mask = slots_.size() - 1;
  size_t slot = hash & mask;
  while (slots_[slot] != 0) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.hash == hash && this->key(slots_[slot] - 1) == key) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

void StringTable::grow() {
  slots_.assign(std::max<size_t>(16, slots_.size() * 2), 0);
  size_t mask = slots_.size() - 1;
  for (size_t i = 0; i < entries_.size(); ++i) {
    size_t slot = entries_[i].hash & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = static_cast<uint32_t>(i + 1);
  }
}

}  // namespace snellen::text
