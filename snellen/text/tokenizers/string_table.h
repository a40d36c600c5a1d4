// SPDX-License-Identifier: Apache-2.0
// Strings to numbers. Built once, then const and safe from many threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "snellen/text/string_pool.h"

namespace snellen::text {

class StringTable {
 public:
  static constexpr int32_t kAbsent = -1;

  // Sets the value of `key`, which must not be negative; a later value replaces an earlier one.
  // Gives the index of the key.
  size_t set(std::string_view key, int32_t value) {
    size_t index = keys_.add(key);
    values_.resize(keys_.size());
    values_[index] = value;
    longest_ = std::max(longest_, key.size());
    return index;
  }
  int32_t find(std::string_view key) const {
    if (key.size() > longest_) return kAbsent;
    uint32_t index = keys_.find(key);
    return index == StringPool::kAbsent ? kAbsent : values_[index];
  }

  size_t size() const { return values_.size(); }
  size_t longest_key() const { return longest_; }
  // Keys in the order they came.
  std::string_view key(size_t index) const { return keys_[static_cast<uint32_t>(index)]; }
  int32_t value(size_t index) const { return values_[index]; }

 private:
  StringPool keys_;
  std::vector<int32_t> values_;
  size_t longest_ = 0;
};

}  // namespace snellen::text
