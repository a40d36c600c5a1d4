// SPDX-License-Identifier: Apache-2.0
// interp.json: weights between those of two checkpoints.
#include <fmt/format.h>

#include "snellen/models/checkpoint/weight_blend.h"
#include "tests/golden_runner/probe_patch.h"

namespace snellen::golden {
namespace {

// Weights are float32; the vector's README allows this where a tool computes so.
constexpr double kFloat32 = 1e-6;

std::vector<float> floats_in(const Json& value) {
  return value.is_array() ? value.get<std::vector<float>>()
                          : std::vector<float>{value.get<float>()};
}

}  // namespace

void check_interp(const Context& context, Tally& tally) {
  const Json json = context.json();
  for (const Json& one : json["cases"]) {
    const auto alpha = one["alpha"].get<double>();
    tally.start(fmt::format("alpha {}", alpha));
    for (const auto& [name, want] : one["theta"].items()) {
      const std::vector<float> got = models::blended(floats_in(json["theta0_original"][name]),
                                                     floats_in(json["theta1_finetuned"][name]),
                                                     alpha);
      const std::vector<double> wide(got.begin(), got.end());
      tally.same(want.is_array() ? Json(wide) : Json(wide.at(0)), want, kFloat32, name);
    }
  }
}

}  // namespace snellen::golden
