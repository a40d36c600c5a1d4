// SPDX-License-Identifier: Apache-2.0
// Flags that name a stretch of a video, as the reference's scripts spell them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/config/option.h"
#include "snellen/media/video/clip.h"

namespace snellen::cli {

struct ClipFlags {
  std::optional<double> start;
  std::optional<double> end;
  std::string unit = "sec";
  bool is_compat = false;

  // An end of -1 is no end.
  media::ClipWindow window() const;
};

std::vector<config::Option> clip_options();

// "30", "29.97", "30000/1001"; throws kUsage, naming `where`.
media::Rational parse_rate(const std::string& text, const std::string& where);

}  // namespace snellen::cli
