// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

namespace snellen {

// The 128 bits of XXH3 of a content: equal contents have equal keys, and different ones by chance
// never do. Not for trust: whoever wants to can make two contents of one key.
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
