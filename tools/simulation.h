// SPDX-License-Identifier: Apache-2.0
// What the simulations of intervals share: streams of random numbers, latent scores, cluster sizes.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <string_view>

#include "snellen/base/parse_number.h"
#include "snellen/base/splitmix.h"

namespace snellen::stats {

// What each program takes.
struct SimulationOptions {
  uint64_t replicates;
  uint64_t seed = 0;
  unsigned num_threads = 1;
  uint64_t bootstrap = 0;  // resamples of each evaluation; 0: the intervals by formula
};

// False where it is none of these options, or its value no number that fits.
inline bool set_option(SimulationOptions& options, std::string_view name, std::string_view value) {
  const std::optional<uint64_t> number = parse_number<uint64_t>(value);
  if (!number) return false;
  if (name == "--replicates" && *number > 0) {
    options.replicates = *number;
  } else if (name == "--bootstrap") {
    options.bootstrap = *number;
  } else if (name == "--seed") {
    options.seed = *number;
  } else if (name == "--threads") {
    options.num_threads = static_cast<unsigned>(*number);
  } else {
    return false;
  }
  return true;
}

// A stream of its own for each replicate.
class Draws {
 public:
  explicit Draws(uint64_t key) : state_(splitmix64(key)) {}

  uint64_t next() { return splitmix64(state_ += kSplitMixGamma); }
  double uniform() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53; }
  size_t below(size_t n) { return static_cast<size_t>(uniform() * static_cast<double>(n)); }
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double radius = std::sqrt(-2.0 * std::log(uniform()));
    double angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
  }

 private:
  uint64_t state_;
  double spare_ = 0.0;
  bool has_spare_ = false;
};

enum class Sizes { kFour, kUneven, kSkewed };
inline constexpr const char* kSizeNames[] = {"4 each", "1 to 16", "skewed"};

// A pair of latent scores, one per model, correlated by one half.
struct Pair {
  double first;
  double second;
};

inline Pair draw_pair(Draws& draws) {
  double both = draws.normal();
  double half = std::sqrt(0.5);
  return {half * (both + draws.normal()), half * (both + draws.normal())};
}

inline Pair mix(const Pair& a, double a_share, const Pair& b) {
  double x = std::sqrt(a_share);
  double y = std::sqrt(1.0 - a_share);
  return {x * a.first + y * b.first, x * a.second + y * b.second};
}

inline size_t size_of(Sizes sizes, Draws& draws) {
  switch (sizes) {
    case Sizes::kFour:
      return 4;
    case Sizes::kUneven:
      return 1 + draws.below(16);
    case Sizes::kSkewed:
      return static_cast<size_t>(std::ceil(3.0 * std::exp(draws.normal())));
  }
  return 1;
}

}  // namespace snellen::stats
