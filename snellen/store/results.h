// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "snellen/metrics/measurement.h"

namespace snellen::store {

// results.json: {"schema":1,"run":..,"metrics":[...]}, ordered by id.
struct Results {
  std::string run;
  std::vector<metrics::Measurement> metrics;
  std::string tie_rule = {};  // as --ties says; empty: each task's own, and then not written
};

std::string results_to_json(const Results& results);
// Throws kInvalidInput, naming `where`, for anything but such a file.
Results results_from_json(std::string_view json, const std::string& where);
Results read_results(const std::filesystem::path& path);

}  // namespace snellen::store
