// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/rng.h"

#include <cmath>
#include <numbers>

#include "snellen/base/error.h"
#include "snellen/base/hash.h"
#include "snellen/base/splitmix.h"

namespace snellen {

Rng::Rng(std::string key) : key_(std::move(key)), state_(fnv1a64(key_)) {}

Rng Rng::fork(std::string_view purpose) const {
  return Rng(fmt::format("{}|{}", key_, purpose));
}

uint64_t Rng::next() {
  state_ += kSplitMixGamma;
  return splitmix64(state_);
}

uint64_t Rng::below(uint64_t n) {
  SNELLEN_CHECK(n > 0);
  uint64_t draw = next();
  // The threshold 2^64 mod n is below n, so a draw from n on needs no division to be accepted.
  if (draw < n) {
    uint64_t threshold = (0 - n) % n;
    while (draw < threshold) draw = next();
  }
  return draw % n;
}

double Rng::u01() {
  return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

double Rng::gauss() {
  if (kept_gauss_) {
    double kept = *kept_gauss_;
    kept_gauss_.reset();
    return kept;
  }
  double u1 = 1.0 - u01();
  double u2 = u01();
  double radius = std::sqrt(-2.0 * std::log(u1));
  double angle = 2.0 * std::numbers::pi * u2;
  kept_gauss_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

}  // namespace snellen
