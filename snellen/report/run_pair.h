// SPDX-License-Identifier: Apache-2.0
// Two of the runs that are compared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/report/compare.h"
#include "snellen/report/stored_run.h"
#include "snellen/store/samples.h"

namespace snellen::report {

struct OpenRun {
  StoredRun stored;
  store::Samples samples;
  std::vector<store::TaskRecord> tasks;
  const store::MarkedItems* left_out = nullptr;

  std::string folder() const { return stored.paths.folder.string(); }
};

// Throws kNotFound and kInvalidInput for a folder that cannot be read.
OpenRun open_run(const std::filesystem::path& folder);

// How many p-values will be adjusted together at most, by kind of row. Sign flips are drawn until
// they can tell the smallest that matters.
struct Families {
  size_t tasks = 0;
  size_t parts = 0;
  size_t columns = 0;
};
double smallest_p(size_t family);

// Adds rows, coverage, pooled metrics, items and warnings of the pair to the comparison; `run` is
// the number of `second`. Throws kInvalidInput when no item is common.
void compare_pair(
    OpenRun& first, OpenRun& second, size_t run, const Families& families, Comparison& comparison);

// The decisions of the tasks that both have, without anything else.
std::vector<ComparedRow> compare_decisions(OpenRun& first,
                                           OpenRun& second,
                                           const Families& families,
                                           const CompareOptions& options);

}  // namespace snellen::report
