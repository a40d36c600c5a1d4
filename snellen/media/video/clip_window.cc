// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/video/clip_window.h"

#include <algorithm>
#include <cmath>

namespace snellen::media {
namespace {

// Published seconds have four decimals (docs/spec/vilma.md 6).
constexpr double kRounding = 0.5e-4;
// Timestamps beyond are not of this world; keeps sums free of overflow.
constexpr double kFarthest = 0x1p60;

int64_t whole(double value) {
  return static_cast<int64_t>(std::clamp(value, -kFarthest, kFarthest));
}

Result<bool> check(const ClipWindow& window, const std::string& name) {
  const double start = window.start.value_or(0);
  const double end = window.end.value_or(start);
  if (std::isfinite(start) && !std::isnan(end) && start >= 0 && end >= start) return true;
  return Error{ErrorCode::kInvalidInput,
               fmt::format("a clip cannot go from {} to {}", start, end),
               name,
               "give a start of at least 0 and an end that is not before it"};
}

}  // namespace

Result<TimestampRange> timestamp_range(const ClipWindow& given,
                                       const VideoInfo& info,
                                       const ClipRules& rules,
                                       const std::string& name) {
  ClipWindow window = given;
  // The reference writes `end or inf`.
  if (rules.is_compat && window.end == 0.0) window.end.reset();
  if (auto sound = check(window, name); !sound) return sound.error();
  const double start = window.start.value_or(0);
  TimestampRange range;
  if (window.unit == ClipUnit::kFrames) {
    range.first = whole(std::floor(start));
    if (window.end) range.last = whole(std::floor(*window.end)) - 1;
    return range;
  }
  if (info.time_base.num <= 0 || info.time_base.den <= 0) {
    return Error{ErrorCode::kInvalidInput, "has no time base", name, "re-encode it"};
  }
  const double units = static_cast<double>(info.time_base.den) / info.time_base.num;
  if (rules.is_compat) {
    range.first = whole(std::floor(start * units));
    if (window.end) range.last = whole(std::ceil(*window.end * units));
    if (range.first > 0) range.last_before = range.first - 1;
    return range;
  }
  const int64_t origin =
      std::clamp(info.start_pts.value_or(0), -whole(kFarthest), whole(kFarthest));
  range.first = origin + whole(std::ceil((start - kRounding) * units));
  if (window.end) range.last = origin + whole(std::ceil((*window.end - kRounding) * units)) - 1;
  range.last_before = origin + whole(std::floor((start + kRounding) * units));
  return range;
}

}  // namespace snellen::media
