// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/bias/option_chance.h"

#include <algorithm>
#include <cmath>

namespace snellen::tasks {
namespace {

constexpr double kSame = 1e-9;

}  // namespace

void OptionChance::add(size_t num_options, size_t times) {
  if (num_options == 0 || times == 0) return;
  if (parts_.empty()) begin_part();
  parts_.back().sum += static_cast<double>(times) / static_cast<double>(num_options);
  parts_.back().count += times;
  fewest_ = fewest_ == 0 ? num_options : std::min(fewest_, num_options);
  most_ = std::max(most_, num_options);
}

std::optional<double> OptionChance::of_parts() const {
  if (const std::optional<double> same = of_questions()) return same;
  std::optional<double> chance;
  for (const Mean& part : parts_) {
    if (part.count == 0) continue;
    const double mean = part.sum / static_cast<double>(part.count);
    if (chance && std::abs(*chance - mean) > kSame) return std::nullopt;
    if (!chance) chance = mean;
  }
  return chance;
}

std::optional<double> OptionChance::of_questions() const {
  if (most_ == 0 || fewest_ != most_) return std::nullopt;
  return 1.0 / static_cast<double>(most_);
}

}  // namespace snellen::tasks
