// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/content_key.h"

#include <cstring>

#include "snellen/base/splitmix.h"

namespace snellen {
namespace {

uint64_t folded(uint64_t a, uint64_t b) {
  auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

// Eight bytes a step into two states with other multipliers.
ContentKey content_key(std::string_view bytes, uint64_t salt) {
  uint64_t low = splitmix64(bytes.size() + kSplitMixGamma * (salt + 1));
  uint64_t high = splitmix64(low ^ kSplitMixGamma);
  while (!bytes.empty()) {
    uint64_t word = 0;
    size_t taken = bytes.size() < 8 ? bytes.size() : 8;
    std::memcpy(&word, bytes.data(), taken);
    low = folded(low ^ word, 0xD6E8FEB86659FD93U) + taken;
    high = folded(high ^ (word * 0x9FB21C651E98DF25U), 0xA0761D6478BD642FU) ^ low;
    bytes.remove_prefix(taken);
  }
  return {splitmix64(low), splitmix64(high)};
}

}  // namespace snellen
