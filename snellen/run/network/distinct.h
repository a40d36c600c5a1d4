// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>

#include "snellen/base/content_key.h"

namespace snellen::run {

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
