// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace snellen {

// 128 bits of a content, from two hashes that do not collide together.
struct ContentKey {
  uint64_t low = 0;
  uint64_t high = 0;
  auto operator<=>(const ContentKey&) const = default;
};

ContentKey content_key(std::string_view bytes, uint64_t salt = 0);

struct ContentKeyHash {
  size_t operator()(const ContentKey& key) const { return key.low; }
};

}  // namespace snellen
