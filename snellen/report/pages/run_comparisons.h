// SPDX-License-Identifier: Apache-2.0
// Runs of one task held against each other, as `snellen compare` does.
#pragma once

#include <string>
#include <vector>

#include "snellen/report/pages/report_input.h"
#include "snellen/report/table.h"

namespace snellen::report {

struct RunComparison {
  std::string name;  // of its file
  std::string title;
  std::string note;  // which runs, and how to read the tables
  std::vector<std::string> warnings;
  Table decisions;  // later run - first run: of tasks and their parts
  Table metrics;    // the same of metrics
  Table ranks;      // of three or more runs; else empty
  std::string csv;  // of all rows, with every digit
};

// One for every set of runs that have tasks in common. What cannot be compared is noted.
std::vector<RunComparison> run_comparisons(const ReportInput& input,
                                           std::vector<std::string>& notes);

}  // namespace snellen::report
