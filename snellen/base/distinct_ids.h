// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <tsl/robin_map.h>

#include "snellen/base/content_key.h"
#include "snellen/base/error.h"

namespace snellen {

// Gives distinct contents the numbers 0, 1, 2 in the order they come. Holds keys, not contents:
// at most 80 bytes each, whatever their size. One thread at a time; const methods from many.
class DistinctIds {
 public:
  DistinctIds() { ids_.max_load_factor(0.8F); }

  struct Added {
    uint32_t id;
    bool is_new;
  };
  Added add(const ContentKey& key) {
    const auto [found, is_new] = ids_.try_emplace(key, static_cast<uint32_t>(ids_.size()));
    SNELLEN_CHECK(!is_new || found->second < kAbsent);
    return {found->second, is_new};
  }
  Added add(std::string_view content) { return add(content_key(content)); }
  // kAbsent when it was never added.
  static constexpr uint32_t kAbsent = 0xFFFFFFFF;
  uint32_t find(const ContentKey& key) const {
    const auto found = ids_.find(key);
    return found == ids_.end() ? kAbsent : found->second;
  }
  uint32_t find(std::string_view content) const { return find(content_key(content)); }
  size_t size() const { return ids_.size(); }

 private:
  tsl::robin_map<ContentKey, uint32_t, ContentKeyHash> ids_;
};

}  // namespace snellen
