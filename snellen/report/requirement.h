// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace snellen::report {

// Which of a metric's numbers is meant.
enum class Bound { kPoint, kLow, kHigh };
std::string_view name_of(Bound bound);
// Throws kUsage for another word than point, low, high.
Bound bound_of(std::string_view name);

enum class Relation { kAtLeast, kAtMost, kAbove, kBelow };
std::string_view sign_of(Relation relation);

// "probe-c/composition/group>=0.30", "low(vilma/relations/PT)>0.5",
// "probe-c/object/text>=baseline-0.02".
struct Requirement {
  std::string text = {};    // as given
  std::string metric = {};  // its id
  Bound bound = Bound::kPoint;
  Relation relation = Relation::kAtLeast;
  bool is_against_baseline = false;
  double number = 0;  // the threshold, or what is added to the baseline's value

  bool is_met_by(double value, double threshold) const;
};

// Throws kUsage, quoting the text, for anything else. `bound` holds where the text names none.
Requirement parse_requirement(std::string_view text, Bound bound);

}  // namespace snellen::report
