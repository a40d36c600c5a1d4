// SPDX-License-Identifier: Apache-2.0
#include "snellen/text/string_pool.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "snellen/base/error.h"

namespace snellen::text {
namespace {

uint64_t mixed(uint64_t a, uint64_t b) {
  auto product =
      static_cast<unsigned __int128>(a ^ 0x9E3779B97F4A7C15u) * (b ^ 0xD6E8FEB86659FD93u);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

// Eight bytes per step, each folded in with a 64x64 multiply. Only spread matters: equal strings
// are told by comparing.
uint64_t StringPool::hash(std::string_view text) {
  uint64_t state = text.size();
  while (text.size() > 8) {
    uint64_t word;
    std::memcpy(&word, text.data(), 8);
    state = mixed(state, word);
    text.remove_prefix(8);
  }
  uint64_t tail = 0;
  std::memcpy(&tail, text.data(), text.size());
  return mixed(state, tail);
}

size_t StringPool::slot_of(std::string_view text, uint64_t hash) const {
  size_t mask = slots_.size() - 1;
  auto tag = static_cast<uint32_t>(hash >> 32);
  size_t at = hash & mask;
  while (slots_[at].id != kAbsent && !(slots_[at].tag == tag && (*this)[slots_[at].id] == text))
    at = (at + 1) & mask;
  return at;
}

uint32_t StringPool::find(std::string_view text, uint64_t hash) const {
  return slots_[slot_of(text, hash)].id;
}

uint32_t StringPool::add(std::string_view text, uint64_t hash) {
  size_t at = slot_of(text, hash);
  if (slots_[at].id != kAbsent) return slots_[at].id;
  if (size() + 1 >= kAbsent)
    throw Error{ErrorCode::kInvalidInput, "more than four billion distinct texts"};
  auto id = static_cast<uint32_t>(size());
  slots_[at] = {id, static_cast<uint32_t>(hash >> 32)};
  bytes_ += text;
  begins_.push_back(bytes_.size());
  if (2 * size() > slots_.size()) grow();
  return id;
}

void StringPool::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  old.swap(slots_);
  size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kAbsent) continue;
    // The tag is only half the hash; the place needs the rest.
    size_t at = hash((*this)[slot.id]) & mask;
    while (slots_[at].id != kAbsent) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

std::vector<uint32_t> StringPool::sorted() const {
  std::vector<uint32_t> ids(size());
  std::iota(ids.begin(), ids.end(), 0U);
  std::sort(
      ids.begin(), ids.end(), [&](uint32_t a, uint32_t b) { return (*this)[a] < (*this)[b]; });
  return ids;
}

void StringSets::append(const StringSets& other) {
  std::vector<uint32_t> ids(other.pool_.size());
  for (uint32_t i = 0; i < ids.size(); ++i) ids[i] = pool_.add(other.pool_[i]);
  size_t before = ids_.size();
  ids_.resize(before + other.ids_.size());
  std::transform(other.ids_.begin(),
                 other.ids_.end(),
                 ids_.begin() + static_cast<ptrdiff_t>(before),
                 [&](uint32_t id) { return ids[id]; });
  ends_.reserve(ends_.size() + other.ends_.size());
  for (size_t end : other.ends_) ends_.push_back(before + end);
}

}  // namespace snellen::text
