// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "snellen/base/distinct_ids.h"

namespace snellen::store {

// Numbers contents as they come: 1, 2, 3. One that was seen lately keeps its number; one that was
// forgotten gets a new one, so that memory stays bounded however many there are.
class RecentIds {
 public:
  explicit RecentIds(int64_t last) : last_(last) {}

  // The number, and whether it is new.
  std::pair<int64_t, bool> add(const ContentKey& key) {
    auto [place, is_new] = known_.add(key);
    if (!is_new) return {numbers_[place], false};
    numbers_.push_back(++last_);
    if (numbers_.size() >= kMostKnown) forget();
    return {last_, true};
  }
  // One that has its number.
  void know(const ContentKey& key, int64_t number) {
    if (known_.add(key).is_new) numbers_.push_back(number);
  }

  static constexpr size_t kMostKnown = size_t{1} << 17;

 private:
  void forget() {
    known_ = DistinctIds();
    numbers_.clear();
  }

  int64_t last_;
  DistinctIds known_;
  std::vector<int64_t> numbers_;  // by the place in known_
};

}  // namespace snellen::store
