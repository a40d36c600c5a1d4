// SPDX-License-Identifier: Apache-2.0
// A report of runs: one HTML file that needs nothing else, the figures as SVG with their numbers as
// CSV, and the tables as Markdown and LaTeX. Same input, same bytes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/report/pages/figure.h"
#include "snellen/report/pages/report_input.h"
#include "snellen/report/pages/run_comparisons.h"
#include "snellen/report/pages/visdial_sets.h"

namespace snellen::report {

struct NamedTable {
  std::string name;  // of its files
  std::string title;
  std::string note;
  Table table;
};

struct Report {
  std::vector<Figure> figures;
  std::vector<NamedTable> tables;  // the summary first, then the papers' with ours
  std::vector<ShownRound> rounds;  // of visual dialogue, with the sets that hold their answers
  std::vector<RunComparison> differences;
  std::vector<NamedTable> metrics;    // all metrics of each run, without breakdowns
  std::vector<std::string> notes;     // what is missing, and what no paper reports
  std::vector<std::string> sections;  // one line per run: name, model, verdict
};

Report make_report(const ReportInput& input);

std::string report_as_html(const Report& report);
std::string report_as_markdown(const Report& report);
std::string report_as_latex(const Report& report);

// report.html, report.md, tables.tex, figures/NAME.{svg,csv}, tables/NAME.csv,
// tables/differences-N.csv; gives their paths relative to the folder.
std::vector<std::filesystem::path> write_report(const Report& report,
                                                const std::filesystem::path& folder);

}  // namespace snellen::report
