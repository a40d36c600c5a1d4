// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "snellen/annotations/vilma/vilma_results_writer.h"
#include "snellen/config/options.h"
#include "snellen/metrics/vilma/foil_report.h"
#include "snellen/tasks/vilma/evaluate.h"

namespace snellen::tasks::vilma {

// The settings of the task, those of the reference scripts among them (docs/spec/vilma.md 4).
struct VilmaSettings {
  std::vector<std::string> annotation_files;
  std::vector<std::string> input_files;  // results: one file, or proficiency and main
  std::filesystem::path suite;
  std::string mode;
  annotations::VilmaFilter filter = annotations::VilmaFilter::kBoth;
  metrics::OnMissing missing = metrics::OnMissing::kError;
  metrics::OnNonFinite non_finite = metrics::OnNonFinite::kError;
  metrics::OnLengthMismatch length_mismatch = metrics::OnLengthMismatch::kError;
  bool drops_degenerate = false;
  // With a model:
  bool is_only_valid = false;
  bool is_proficiency_alone = false;
  std::string sampler;  // empty: uniform, with --compat window
  std::optional<int64_t> num_frames;
  std::filesystem::path quva, something_something, star, youtube, clips;
  // Joining results files:
  std::vector<std::string> merge;
  std::filesystem::path merged;
  annotations::OnConflict on_conflict = annotations::OnConflict::kLast;
};
config::Block settings_block();

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
