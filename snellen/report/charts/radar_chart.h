// SPDX-License-Identifier: Apache-2.0
// A polygon per model over axes from 0 to 1 that meet in the middle, as SVG.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "snellen/report/charts/bar_chart.h"

namespace snellen::report {

struct RadarChart {
  std::string title;
  std::string subtitle = {};
  std::vector<std::string> axes = {};
  std::vector<BarSeries> series = {};  // one value per axis, 0 to 1
};

std::string radar_as_svg(const RadarChart& chart);

}  // namespace snellen::report
