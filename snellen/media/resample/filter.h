// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace snellen::media {

// Pillow's resampling filters, by Pillow's numbers: those are what configuration files hold.
enum class Filter {
  kNearest = 0,
  kLanczos = 1,
  kBilinear = 2,
  kBicubic = 3,
  kBox = 4,
  kHamming = 5,
};

// "bicubic", ...; nothing for another word.
std::optional<Filter> filter_of(std::string_view name);

// How far from its centre a filter reaches at scale 1; 0 for nearest.
double support_of(Filter filter);
// The filter's weight at a distance.
double weight_of(Filter filter, double distance);

}  // namespace snellen::media
