// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "snellen/config/options.h"
#include "snellen/metrics/vilma/foil_report.h"
#include "snellen/tasks/vilma/evaluate.h"

namespace snellen::tasks::vilma {

// The flags of `score vilma`, those of the reference scripts among them (spec/vilma.md 4).
std::vector<config::OptionFacts> flags();

// What the flags ask for: either a suite file, or annotations with one results file (the
// reference's `eval`) or two, proficiency then main (`multi_eval`).
struct Wanted {
  std::filesystem::path suite;  // empty: `annotations` and `results`
  std::filesystem::path data;   // where annotations that are not found as named are looked for
  std::vector<std::filesystem::path> annotations;
  std::vector<std::filesystem::path> results;
  Selection selection;
  metrics::FoilRules rules;
};

// True when no results are given: then the run's model makes the scores.
bool is_asked(const config::Options& options);

// Throws kUsage for flags that are missing or exclude each other.
Wanted wanted_by(const config::Options& options, bool is_compat);

}  // namespace snellen::tasks::vilma
