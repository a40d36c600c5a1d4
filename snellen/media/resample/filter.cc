// SPDX-License-Identifier: Apache-2.0
// The expressions are written in Pillow's order, since the last bit of a weight can move a pixel.
#include "snellen/media/resample/filter.h"

#include <cmath>

namespace snellen::media {
namespace {

double sinc(double x) {
  if (x == 0.0) return 1.0;
  x *= M_PI;
  return std::sin(x) / x;
}

double bicubic(double x) {
  constexpr double a = -0.5;
  if (x < 0.0) x = -x;
  if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1;
  if (x < 2.0) return (((x - 5) * x + 8) * x - 4) * a;
  return 0.0;
}

double hamming(double x) {
  if (x < 0.0) x = -x;
  if (x == 0.0) return 1.0;
  if (x >= 1.0) return 0.0;
  x *= M_PI;
  return std::sin(x) / x * (0.54 + 0.46 * std::cos(x));
}

}  // namespace

std::optional<Filter> filter_of(std::string_view name) {
  constexpr std::pair<std::string_view, Filter> kNames[] = {{"nearest", Filter::kNearest},
                                                            {"lanczos", Filter::kLanczos},
                                                            {"bilinear", Filter::kBilinear},
                                                            {"bicubic", Filter::kBicubic},
                                                            {"box", Filter::kBox},
                                                            {"hamming", Filter::kHamming}};
  for (const auto& [known, filter] : kNames) {
    if (known == name) return filter;
  }
  return std::nullopt;
}

double support_of(Filter filter) {
  switch (filter) {
    case Filter::kNearest:
      return 0.0;
    case Filter::kBox:
      return 0.5;
    case Filter::kBilinear:
    case Filter::kHamming:
      return 1.0;
    case Filter::kBicubic:
      return 2.0;
    case Filter::kLanczos:
      return 3.0;
  }
  return 0.0;
}

double weight_of(Filter filter, double x) {
  switch (filter) {
    case Filter::kNearest:
      return 0.0;
    case Filter::kBox:
      return x > -0.5 && x <= 0.5 ? 1.0 : 0.0;
    case Filter::kBilinear:
      if (x < 0.0) x = -x;
      return x < 1.0 ? 1.0 - x : 0.0;
    case Filter::kHamming:
      return hamming(x);
    case Filter::kBicubic:
      return bicubic(x);
    case Filter::kLanczos:
      return -3.0 <= x && x < 3.0 ? sinc(x) * sinc(x / 3) : 0.0;
  }
  return 0.0;
}

}  // namespace snellen::media
