// SPDX-License-Identifier: Apache-2.0
// Doubles where rows are of floats: each is four of them, 16 bits in every one, so that they are
// finite and come back as they were.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace snellen::inference {

inline constexpr size_t kFloatsPerDouble = 4;

inline void write_exact(std::span<const double> values, std::span<float> to) {
  for (size_t i = 0; i < values.size(); ++i) {
    const auto bits = std::bit_cast<uint64_t>(values[i]);
    for (size_t part = 0; part < kFloatsPerDouble; ++part)
      to[kFloatsPerDouble * i + part] = static_cast<float>(bits >> 16 * part & 0xFFFF);
  }
}

inline std::vector<float> exact_floats(std::span<const double> values) {
  std::vector<float> floats(kFloatsPerDouble * values.size());
  write_exact(values, floats);
  return floats;
}

inline std::vector<double> exact_doubles(std::span<const float> floats) {
  std::vector<double> values;
  values.reserve(floats.size() / kFloatsPerDouble);
  for (size_t i = 0; i + kFloatsPerDouble <= floats.size(); i += kFloatsPerDouble) {
    uint64_t bits = 0;
    for (size_t part = 0; part < kFloatsPerDouble; ++part)
      bits |= static_cast<uint64_t>(static_cast<uint16_t>(floats[i + part])) << 16 * part;
    values.push_back(std::bit_cast<double>(bits));
  }
  return values;
}

}  // namespace snellen::inference
