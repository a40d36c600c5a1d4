// SPDX-License-Identifier: Apache-2.0
// What the papers report, beside ours. One file per paper in snellen/report/published, which the
// program carries.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/report/pages/report_input.h"
#include "snellen/report/table.h"

namespace snellen::report {

struct PublishedTable {
  std::string name;  // of its files
  std::string title;
  std::string note;  // where the numbers are from, and what keeps them from being comparable
  std::string kind;  // "percent", "number" or "texts"
  struct Column {
    std::string name;
    std::string ours;  // the metric id that stands beside it; empty: none
    // Which sets of questions it is about, as --type calls them; empty: all.
    std::vector<std::string> types = {};
    uint64_t num_items = 0;  // how many the data set has; ours stands where as many were measured
  };
  std::vector<Column> columns;
  struct Row {
    std::string name;
    std::vector<std::string> cells;
  };
  std::vector<Row> rows;
};

struct PublishedPaper {
  std::string paper;
  std::string task;  // with `none`: whose
  std::string none;  // why there is no number to compare with; empty where there is one
  std::vector<PublishedTable> tables;
};

// Throws kInvalidInput for a malformed file.
PublishedPaper published_from_json(std::string_view json, const std::string& where);
std::vector<PublishedPaper> published_papers();

// The paper's rows, then ours with their intervals.
Table published_table(const PublishedTable& published, const ReportInput& input);
// One sentence for each run that measured what a column shows and names no set of that table, so
// that it has no place in it.
std::vector<std::string> runs_without_place(const PublishedTable& published,
                                            const ReportInput& input);
// Whether a run measured what one of its columns shows; a table of sizes, where its task was run.
bool is_relevant(const PublishedTable& published, const ReportInput& input);

}  // namespace snellen::report
