// SPDX-License-Identifier: Apache-2.0
// Hashes of the tables in this folder. They are part of the index layout: a change raises the index
// version.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace snellen::text::meteor {

inline uint64_t mix(uint64_t h) {
  h ^= h >> 32;
  h *= 0xD6E8FEB86659FD93;
  h ^= h >> 29;
  return h;
}

inline uint64_t hash_bytes(std::string_view bytes) {
  uint64_t h = 0x9E3779B97F4A7C15 ^ bytes.size();
  const char* at = bytes.data();
  size_t left = bytes.size();
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    h = (h ^ word) * 0x9FB21C651E98DF25;
    h ^= h >> 28;
  }
  uint64_t tail = 0;
  for (size_t i = 0; i < left; ++i) tail |= uint64_t{static_cast<uint8_t>(at[i])} << (8 * i);
  return mix((h ^ tail) * 0x9FB21C651E98DF25);
}

// The hash of a phrase grows by one word at a time.
inline uint64_t extend_hash(uint64_t h, uint32_t word) {
  return mix((h ^ (uint64_t{word} + 1)) * 0x9E3779B97F4A7C15);
}
inline uint64_t phrase_hash(uint32_t phrase) {
  return mix((uint64_t{phrase} + 1) * 0x9E3779B97F4A7C15);
}

}  // namespace snellen::text::meteor
