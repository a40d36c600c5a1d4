// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace snellen::report {

// The values that an axis shows.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  // What is not finite is left out.
  void take(double value);
  bool is_empty() const { return low > high; }
};

// Values to pixels, and where the ticks are.
struct Axis {
  std::vector<double> ticks;
  double low = 0, high = 1;
  double begin = 0, end = 1;  // in pixels

  double place(double value) const { return begin + (value - low) / (high - low) * (end - begin); }
};

// About `num_ticks` round ticks; it ends at ticks where `is_round`, else at the data. A range of
// nothing is 0 to 1, one of a single value is widened.
Axis axis_of(Range range, size_t num_ticks, bool is_round);

// Round numbers from at or below `low` to at or above `high`, about `count` of them.
std::vector<double> round_ticks(double low, double high, size_t count);
// The shortest text that tells ticks apart: "0.25", "1,000", "2e+09".
std::string tick_text(double value);

}  // namespace snellen::report
