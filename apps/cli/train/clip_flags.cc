// SPDX-License-Identifier: Apache-2.0
#include "apps/cli/train/clip_flags.h"

#include <cmath>
#include <numeric>

#include "snellen/base/error.h"
#include "snellen/base/parse_number.h"

namespace snellen::cli {

media::ClipWindow ClipFlags::window() const {
  media::ClipWindow window{start, end};
  if (end == -1.0) window.end.reset();
  if (unit == "pts") {
    window.unit = media::ClipUnit::kFrames;
    if (is_compat && !window.end) {
      throw Error{ErrorCode::kUsage,
                  "the reference cannot count frames without an end",
                  "--end-pts",
                  "give --end-pts, or leave out --compat"};
    }
  }
  return window;
}

std::vector<config::Option> clip_options() {
  using config::option;
  using S = ClipFlags;
  return {option(&S::start, "start-pts", "start of the clip (default 0)")
              .alias("s", "start")
              .value("T"),
          option(&S::end, "end-pts", "end of the clip (default: the end of the video)")
              .alias("e", "end")
              .value("T"),
          option(&S::unit, "pts-unit", "unit of both: seconds, or frame numbers")
              .alias("unit")
              .choices({"sec", "pts"}),
          option(&S::is_compat, "compat", "reproduce the reference script")};
}

media::Rational parse_rate(const std::string& text, const std::string& where) {
  const size_t slash = text.find('/');
  const auto up = parse_number<double>(std::string_view(text).substr(0, slash));
  const auto down = slash == std::string::npos
                        ? 1.0
                        : parse_number<double>(std::string_view(text).substr(slash + 1));
  const bool is_sound = up && down && *up > 0 && *down > 0 && *up / *down <= 1000 &&
                        *up / *down >= 0.001 && *up < 1e6 && *down < 1e6;
  if (!is_sound) {
    throw Error{ErrorCode::kUsage,
                fmt::format("'{}' is not a frame rate", text),
                where,
                "for instance 30, 29.97 or 30000/1001"};
  }
  const auto num = static_cast<int64_t>(std::llround(*up * 1000));
  const auto den = static_cast<int64_t>(std::llround(*down * 1000));
  const int64_t common = std::gcd(num, den);
  return {static_cast<int>(num / common), static_cast<int>(den / common)};
}

}  // namespace snellen::cli
