// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace snellen::metrics {

// count / n; nothing when n is 0.
inline std::optional<double> share(uint64_t count, uint64_t n) {
  if (n == 0) return std::nullopt;
  return static_cast<double>(count) / static_cast<double>(n);
}

// a - b; nothing unless both are defined.
inline std::optional<double> difference(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return *a - *b;
}

// The cluster an item belongs to: its image, or itself when it has none. The mark keeps the two
// apart.
inline std::string cluster_name(std::string_view image, std::string_view id) {
  if (!image.empty()) return std::string(image);
  return std::string("\x01item ").append(id);
}

}  // namespace snellen::metrics
