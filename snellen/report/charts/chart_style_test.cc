// SPDX-License-Identifier: Apache-2.0
// The colours of charts, measured: as people with each kind of colour blindness see them, how light
// they are, and against the background.
#include "snellen/report/charts/chart_style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace snellen::report {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
constexpr Matrix kEverybody = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan = {{{0.152286, 1.052583, -0.204868},
                             {0.114503, 0.786281, 0.099216},
                             {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan = {{{0.367322, 0.860646, -0.227968},
                             {0.280085, 0.672501, 0.047413},
                             {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritan = {{{1.255528, -0.076749, -0.178779},
                             {-0.078411, 0.930809, 0.147602},
                             {0.004733, 0.691367, 0.303900}}};

Triple times(const Matrix& matrix, const Triple& vector) {
  Triple made{};
  for (size_t row = 0; row < 3; ++row)
    for (size_t column = 0; column < 3; ++column) made[row] += matrix[row][column] * vector[column];
  return made;
}

Triple linear(const std::string& hex) {
  Triple made{};
  for (size_t i = 0; i < 3; ++i) {
    const double value = std::stoi(hex.substr(2 * i, 2), nullptr, 16) / 255.0;
    made[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return made;
}

double luminance(const Triple& rgb) {
  return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

// CIE 1976 L*, a*, b*, white D65.
Triple lab(Triple rgb) {
  for (double& value : rgb) value = std::clamp(value, 0.0, 1.0);
  const Matrix to_xyz = {
      {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  Triple xyz = times(to_xyz, rgb);
  const Triple white = {0.9505, 1, 1.089};
  for (size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / white[i];
    xyz[i] = t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
  }
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double distance(const Triple& a, const Triple& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

double contrast(const Triple& a, const Triple& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

std::string after(std::string_view style, const std::string& what) {
  const size_t at = style.find(what);
  return at == std::string_view::npos ? "" : std::string(style.substr(at + what.size(), 6));
}

struct Scheme {
  std::string background;
  std::vector<std::string> colours;
};

Scheme scheme_of(std::string_view style) {
  Scheme scheme{.background = after(style, ".p{fill:#"), .colours = {}};
  for (size_t i = 0; i < kChartColours; ++i) {
    scheme.colours.push_back(after(style, fmt::format(".f{}{{fill:#", i)));
    EXPECT_EQ(scheme.colours.back(), after(style, fmt::format(".s{}{{stroke:#", i)));
  }
  return scheme;
}

std::array<Scheme, 2> light_and_dark() {
  const std::string_view style = chart_style();
  const size_t dark = style.find("prefers-color-scheme:dark");
  Scheme light = scheme_of(style.substr(0, dark));
  light.background = "ffffff";  // which is written with three digits
  return {light, scheme_of(style.substr(dark))};
}

// 2.3 is a difference that is just seen side by side; a legend stands apart from its bars.
TEST(ChartColours, AreToldApartByTheColourBlind) {
  for (const Scheme& scheme : light_and_dark())
    for (const Matrix& eyes : {kEverybody, kProtan, kDeutan, kTritan})
      for (size_t i = 0; i < kChartColours; ++i)
        for (size_t j = 0; j < i; ++j)
          EXPECT_GT(distance(lab(times(eyes, linear(scheme.colours[i]))),
                             lab(times(eyes, linear(scheme.colours[j])))),
                    18)
              << scheme.colours[i] << " and " << scheme.colours[j];
}

TEST(ChartColours, DifferInLightness) {
  for (const Scheme& scheme : light_and_dark()) {
    std::vector<double> lightness;
    for (const std::string& colour : scheme.colours) lightness.push_back(lab(linear(colour))[0]);
    std::sort(lightness.begin(), lightness.end());
    for (size_t i = 1; i < lightness.size(); ++i) EXPECT_GT(lightness[i] - lightness[i - 1], 4.5);
  }
}

// 3 to 1 is what WCAG 2.1 asks of graphical objects.
TEST(ChartColours, StandOutFromTheBackground) {
  for (const Scheme& scheme : light_and_dark())
    for (const std::string& colour : scheme.colours)
      EXPECT_GE(contrast(linear(colour), linear(scheme.background)), 3) << colour;
}

}  // namespace
}  // namespace snellen::report
