// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/check/stage_result.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "snellen/models/checkpoint/tensor_view.h"

namespace snellen::models {

std::string difference_text(const StageResult& stage) {
  if (!stage.note.empty()) return stage.note;
  return fmt::format(
      "{:.3g} at {}: got {}, expected {}", stage.largest, stage.index, stage.got, stage.want);
}

StageResult compare_stage(const FixtureStage& stage,
                          std::string name,
                          const FloatTensor& got,
                          const FloatTensor& want,
                          bool is_strict) {
  StageResult result;
  result.name = std::move(name);
  if (got.values.size() != want.values.size()) {
    result.largest = std::numeric_limits<double>::infinity();
    result.note =
        fmt::format("shape {}, expected {}", shape_text(got.shape), shape_text(want.shape));
    return result;
  }
  double peak = 0;
  for (size_t i = 0; i < got.values.size(); ++i) {
    double expected = want.values[i];
    double difference = std::abs(got.values[i] - expected);
    // A number that is not finite differs from all but itself.
    if (std::isnan(difference))
      difference = got.values[i] == want.values[i] ? 0 : std::numeric_limits<double>::infinity();
    peak = std::max(peak, std::abs(expected));
    if (difference > result.largest || (i == 0)) {
      result.largest = difference;
      result.index = i;
      result.got = got.values[i];
      result.want = expected;
    }
  }
  double tolerance = is_strict ? stage.strict : stage.tolerance;
  if (stage.compare == FixtureStage::Compare::kExact) tolerance = 0;
  if (stage.compare == FixtureStage::Compare::kRelative && peak > 0) result.largest /= peak;
  result.is_equal = result.largest <= tolerance;
  return result;
}

}  // namespace snellen::models
