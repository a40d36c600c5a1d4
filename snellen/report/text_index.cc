// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/text_index.h"

#include <limits>

#include "snellen/base/error.h"
#include "snellen/base/hash.h"
#include "snellen/base/splitmix.h"

namespace snellen::report {
namespace {

constexpr size_t kFirstTable = 64;

// The last multiplication of FNV-1a leaves its low bits, which choose the place, poorly mixed.
uint64_t mixed(uint64_t hash) {
  return splitmix64(hash);
}

// A second hash with another step than FNV's, so that the two do not collide together.
uint64_t check_of(std::string_view text) {
  uint64_t hash = kSplitMixGamma + text.size();
  for (char c : text) hash = mixed(hash + static_cast<unsigned char>(c));
  return hash;
}

}  // namespace

TextIndex::Fingerprint TextIndex::fingerprint_of(std::string_view text) {
  return {mixed(fnv1a64(text)), check_of(text)};
}

size_t TextIndex::place_of(const Fingerprint& key) const {
  size_t mask = table_.size() - 1;
  size_t place = key.place & mask;
  while (table_[place] != 0 && keys_[table_[place] - 1] != key) place = (place + 1) & mask;
  return place;
}

void TextIndex::grow() {
  table_.assign(table_.empty() ? kFirstTable : table_.size() * 2, 0);
  for (size_t i = 0; i < keys_.size(); ++i)
    table_[place_of(keys_[i])] = static_cast<uint32_t>(i + 1);
}

TextIndex::Entry TextIndex::add(std::string_view text) {
  if ((keys_.size() + 1) * 2 > table_.size()) grow();
  Fingerprint key = fingerprint_of(text);
  size_t place = place_of(key);
  if (table_[place] != 0) return {table_[place] - 1, false};
  if (keys_.size() + 1 >= std::numeric_limits<uint32_t>::max()) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("more than {} items in one task", keys_.size())};
  }
  keys_.push_back(key);
  table_[place] = static_cast<uint32_t>(keys_.size());
  return {table_[place] - 1, true};
}

std::optional<uint32_t> TextIndex::find(std::string_view text) const {
  if (table_.empty()) return std::nullopt;
  uint32_t held = table_[place_of(fingerprint_of(text))];
  if (held == 0) return std::nullopt;
  return held - 1;
}

}  // namespace snellen::report
