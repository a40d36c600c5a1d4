// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/moments.h"

#include <cmath>
#include <limits>

namespace snellen::stats {
namespace {
constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
}  // namespace

void Moments::merge(const Moments& other) {
  if (other.count_ == 0) return;
  if (count_ == 0) {
    *this = other;
    return;
  }
  double n = static_cast<double>(count_);
  double m = static_cast<double>(other.count_);
  double delta = other.mean_ - mean_;
  mean_ += delta * (m / (n + m));
  squares_ += other.squares_ + delta * delta * (n * (m / (n + m)));
  count_ += other.count_;
}

double Moments::mean() const {
  return count_ == 0 ? kUndefined : mean_;
}

double Moments::sample_variance() const {
  return count_ < 2 ? kUndefined : squares_ / static_cast<double>(count_ - 1);
}

double Moments::sample_sd() const {
  return std::sqrt(sample_variance());
}

}  // namespace snellen::stats
