// SPDX-License-Identifier: Apache-2.0
// Count, mean and spread of a stream of numbers in one pass (Welford 1962), mergeable (Chan et al.
// 1979).
#pragma once

#include <cstdint>

namespace snellen::stats {

// One thread at a time. Undefined figures are NaN, never 0.
class Moments {
 public:
  void add(double x) {
    ++count_;
    double delta = x - mean_;
    mean_ += delta / static_cast<double>(count_);
    squares_ += delta * (x - mean_);
  }
  void merge(const Moments& other);

  uint64_t count() const { return count_; }
  // NaN when count() == 0.
  double mean() const;
  // Divisor n - 1; NaN when count() < 2.
  double sample_variance() const;
  double sample_sd() const;

 private:
  uint64_t count_ = 0;
  double mean_ = 0.0;
  double squares_ = 0.0;  // sum of squared deviations from the mean
};

}  // namespace snellen::stats
