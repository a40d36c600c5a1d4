// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "snellen/base/hash.h"
#include "snellen/base/splitmix.h"

namespace snellen::run {

// 128 bits of a content, from two hashes that do not collide together.
struct ContentKey {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const ContentKey&) const = default;
};

ContentKey content_key(std::string_view bytes, uint64_t salt = 0);

struct ContentKeyHash {
  size_t operator()(const ContentKey& key) const { return key.low; }
};

// Gives distinct contents the numbers 0, 1, 2 in the order they come. Holds keys, not contents: 32
// bytes each, whatever their size. One thread at a time; const methods from many.
class DistinctIds {
 public:
  struct Added {
    uint32_t id;
    bool is_new;
  };
  Added add(const ContentKey& key) {
    auto [place, is_new] = ids_.try_emplace(key, static_cast<uint32_t>(ids_.size()));
    return {place->second, is_new};
  }
  // kAbsent when it was never added.
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;
  uint32_t find(const ContentKey& key) const {
    auto found = ids_.find(key);
    return found == ids_.end() ? kAbsent : found->second;
  }
  size_t size() const { return ids_.size(); }

 private:
  std::unordered_map<ContentKey, uint32_t, ContentKeyHash> ids_;
};

}  // namespace snellen::run
