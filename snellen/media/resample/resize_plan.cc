// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/resample/resize_plan.h"

namespace snellen::media {
namespace {

constexpr size_t kMostWeights = size_t{1} << 20;

bool is_vertical_first(const Axis& across, const Axis& down) {
  const int64_t lost_height = int64_t{down.in_size} - down.out_size;
  const int64_t lost_width = int64_t{across.in_size} - across.out_size;
  return lost_height > 0 && lost_height > 2 * lost_width;
}

struct Span {
  int first = 0;
  int count = 0;
};

// The samples of one axis that are read; the pass over it, if any, comes to be counted from there.
Span inputs_of(const Axis& axis, std::optional<Weights>& weights) {
  if (!weights) return {axis.first, axis.count};
  Span inputs = {weights->first_input(), weights->end_input() - weights->first_input()};
  weights->shift(inputs.first);
  return inputs;
}

}  // namespace

ResizePlan plan_passes(const Axis& across, const Axis& down, Filter filter, PassOrder order) {
  std::optional<Weights> horizontal, vertical;
  if (!across.is_identity()) horizontal.emplace(across, filter);
  if (!down.is_identity()) vertical.emplace(down, filter);
  const Span columns = inputs_of(across, horizontal), rows = inputs_of(down, vertical);
  ResizePlan plan = {.input = {columns.first, rows.first, columns.count, rows.count}, .passes = {}};
  if (horizontal) plan.passes.push_back({false, std::move(*horizontal)});
  if (vertical) plan.passes.push_back({true, std::move(*vertical)});
  if (plan.passes.size() == 2 && order == PassOrder::kPillow13 && is_vertical_first(across, down))
    std::swap(plan.passes[0], plan.passes[1]);
  return plan;
}

std::optional<ResizePlan> plan_resize(int width, int height, const ResizeTarget& target) {
  if (target.filter == Filter::kNearest) return std::nullopt;
  const Rectangle window = target.window.value_or(Rectangle{0, 0, target.width, target.height});
  const Axis across{width, target.width, window.left, window.width};
  const Axis down{height, target.height, window.top, window.height};
  if (num_weights(across, target.filter) > kMostWeights) return std::nullopt;
  if (num_weights(down, target.filter) > kMostWeights) return std::nullopt;
  return plan_passes(across, down, target.filter, target.order);
}

}  // namespace snellen::media
