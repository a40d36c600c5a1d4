// SPDX-License-Identifier: Apache-2.0
// What all charts share: colours for light and dark, and the beginning of an SVG file.
#pragma once

#include <string>
#include <string_view>

namespace snellen::report {

// Classes f0 .. f5 fill and s0 .. s5 stroke; the colour-blind tell them apart, by lightness too.
inline constexpr size_t kChartColours = 6;

// The <style> element that every chart carries.
std::string_view chart_style();

// Until the background; "</svg>" ends the file.
std::string svg_begin(double width, double height, std::string_view title);

}  // namespace snellen::report
