// SPDX-License-Identifier: Apache-2.0
// A long sum that keeps the digits plain addition loses (Neumaier 1974). Mergeable: merge partial
// sums in item order and the bits do not depend on how the items were split among threads that way.
#pragma once

#include <cmath>

namespace snellen::stats {

// One thread at a time.
class Sum {
 public:
  void add(double x) {
    double next = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
  }

  void merge(const Sum& other) {
    add(other.sum_);
    lost_ += other.lost_;
  }

  // 0 for no items. An infinite or NaN sum is returned as plain addition gives it.
  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0.0;
  double lost_ = 0.0;  // meaningless once sum_ is not finite
};

}  // namespace snellen::stats
