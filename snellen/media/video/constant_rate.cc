// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/constant_rate.h"

#include <algorithm>
#include <limits>

#include "snellen/base/error.h"

namespace snellen::media {

ConstantRate::ConstantRate(Rational time_base, Rational rate) : time_base_(time_base), rate_(rate) {
  SNELLEN_CHECK(time_base.num > 0 && time_base.den > 0 && rate.num > 0 && rate.den > 0);
}

int64_t ConstantRate::tick_of(int64_t pts) const {
  using Wide = __int128;
  const Wide up = Wide{time_base_.num} * rate_.num;
  const Wide down = Wide{time_base_.den} * rate_.den;
  constexpr Wide kMost = std::numeric_limits<int64_t>::max() / 4;
  const Wide since = std::clamp(Wide{pts} - first_pts_.value_or(pts), -kMost, kMost);
  const Wide magnitude = ((since < 0 ? -since : since) * up + down / 2) / down;
  const auto tick = static_cast<int64_t>(std::min(magnitude, kMost));
  return since < 0 ? -tick : tick;
}

int64_t ConstantRate::next(int64_t pts) {
  if (!first_pts_) first_pts_ = pts;
  const int64_t count = std::max<int64_t>(0, tick_of(pts) - next_tick_);
  next_tick_ += count;
  return count;
}

int64_t ConstantRate::finish(int64_t end_pts) {
  return first_pts_ ? next(end_pts) : 0;
}

}  // namespace snellen::media
