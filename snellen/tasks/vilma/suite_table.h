// SPDX-License-Identifier: Apache-2.0
// The suite's report from the measurements of a run, so that every number and interval printed is
// the one in results.json.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"
#include "snellen/metrics/vilma/vilma_suite.h"
#include "snellen/tasks/vilma/suite.h"

namespace snellen::tasks::vilma {

// A row of the suite file and where it belongs.
struct PlacedRow {
  std::string name;
  std::string annotation;
  annotations::VilmaPlace place;
};

// Reads the suite file, and an annotation file only when its name does not tell its place.
std::vector<PlacedRow> placed_rows(const std::filesystem::path& suite,
                                   const std::filesystem::path& annotation_folder);

// Throws kInternal when a measurement of a row is missing.
metrics::VilmaSuite suite_of(std::span<const PlacedRow> rows,
                             std::span<const metrics::Measurement> measurements);

}  // namespace snellen::tasks::vilma
