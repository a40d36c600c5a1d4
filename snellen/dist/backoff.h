// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace snellen::dist {

// How long to sleep while nothing happens: short at first, so that an answer is taken at once, then
// longer, so that a rank that waits uses next to none of its core.
class Backoff {
 public:
  static constexpr std::chrono::microseconds kLeast{20};
  static constexpr std::chrono::microseconds kMost{10'000};

  std::chrono::microseconds next() {
    std::chrono::microseconds now = pause_;
    pause_ = std::min(kMost, pause_ * 2);
    return now;
  }
  void reset() { pause_ = kLeast; }

 private:
  std::chrono::microseconds pause_ = kLeast;
};

}  // namespace snellen::dist
