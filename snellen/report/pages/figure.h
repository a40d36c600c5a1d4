// SPDX-License-Identifier: Apache-2.0
// A figure of a report: drawn once, with the numbers that it shows.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "snellen/report/charts/bar_chart.h"
#include "snellen/report/pages/report_input.h"
#include "snellen/report/table.h"

namespace snellen::report {

struct Figure {
  std::string name;  // of its files
  std::string title;
  std::string caption;
  std::string svg;
  Table numbers;
  bool has_many_numbers = false;  // too many for the page: they are in their file
  // The metrics that it asks the runs for, whether one measured them or not.
  std::vector<std::string> asked = {};
};

// A row per number of a figure, with shortest digits: model, metric, value, low, high, n, ties,
// chance.
Table numbers_table();
void add_number(Table& table,
                const std::string& model,
                const std::string& id,
                const metrics::Measurement& one,
                std::optional<double> chance);

// Which metric a bar shows, and what stands below it.
struct AskedBar {
  std::string group;
  std::string id;
};
struct AskedPanel {
  std::string title;
  std::vector<AskedBar> bars;
  bool is_share = true;
};

Bar bar_of(const metrics::Measurement& one, std::optional<double> chance);

// Bars of each model for each metric, in panels; nothing when no model has any of them.
struct BarFigure {
  std::string name;
  std::string title;
  std::string caption;
  std::vector<AskedPanel> panels;
};
std::optional<Figure> bar_figure(const ReportInput& input, const BarFigure& asked);

// All figures that the input has numbers for, in the order of a report.
// A file that cannot be read gives a note instead of its figure.
std::vector<Figure> figures_of(const ReportInput& input, std::vector<std::string>& notes);

// Makers, one per topic; figures.cc lists them.
std::vector<Figure> probe_figures(const ReportInput& input);
std::vector<Figure> probe_b_figures(const ReportInput& input);
std::vector<Figure> vilma_figures(const ReportInput& input);
std::vector<Figure> control_figures(const ReportInput& input);
std::vector<Figure> bias_figures(const ReportInput& input);

// Those that read further files: what is wrong with one is noted.
std::vector<Figure> feature_figures(const ReportInput& input, std::vector<std::string>& notes);
std::vector<Figure> visdial_figures(const ReportInput& input, std::vector<std::string>& notes);
std::vector<Figure> ladder_figures(const ReportInput& input, std::vector<std::string>& notes);
std::vector<Figure> curve_figures(const ReportInput& input, std::vector<std::string>& notes);

}  // namespace snellen::report
