// SPDX-License-Identifier: Apache-2.0
// ViLMA from files: annotations and results in, reports out (`snellen score vilma`). Joins the
// readers of snellen/annotations with the measures of snellen/metrics; no model, no video.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "snellen/annotations/vilma/vilma_annotations.h"
#include "snellen/annotations/vilma/vilma_results.h"
#include "snellen/metrics/vilma/foil_report.h"

namespace snellen::tasks::vilma {

using Paths = std::span<const std::filesystem::path>;

struct Selection {
  annotations::VilmaFilter filter = annotations::VilmaFilter::kBoth;
  // Leave out items whose caption is one of its foils or whose foils repeat.
  bool drop_degenerate = false;
};

struct EvaluatedItem {
  std::string id;
  std::string clip;
  size_t num_foils = 0;
  size_t num_prof_foils = 1;
  size_t file = 0;  // which of the annotation files
};

// The items of one or several annotation files that are evaluated, in lexicographic order of ids.
struct EvaluatedItems {
  std::vector<EvaluatedItem> items;
  std::vector<std::string> left_out;  // ids of annotated items that are not evaluated
  size_t num_annotated = 0;
  size_t num_main_valid = 0;  // items without votes count in neither
  size_t num_prof_valid = 0;
  std::vector<std::string>
      degenerate;  // evaluated items with a defect, kept or dropped: worth a warning
  std::vector<annotations::VilmaPlace>
      places;  // task and subtask of each file; empty when nothing tells
};

// Throws kNotFound or kInvalidInput: a malformed item, missing votes, ids that clash.
EvaluatedItems read_evaluated_items(Paths annotation_files, const Selection& selection);

// Which texts a results file scored. kAuto takes the main texts unless every entry has the length
// of the proficiency texts and not every one that of the main texts.
enum class ScoredTexts { kAuto, kMain, kProficiency };

struct Evaluation {
  metrics::FoilReport report;
  ScoredTexts texts = ScoredTexts::kMain;  // what a single file was taken for; never kAuto
  size_t num_non_finite_entries = 0;       // over all entries read, evaluated or not
  std::vector<std::string> degenerate;
};

// `eval`: one results file.
Evaluation evaluate_file(const EvaluatedItems& evaluated,
                         const annotations::VilmaResults& results,
                         ScoredTexts texts,
                         const metrics::FoilRules& rules);
// The ids the same call refuses, for machine-readable errors.
metrics::FoilProblems file_problems(const EvaluatedItems& evaluated,
                                    const annotations::VilmaResults& results,
                                    ScoredTexts texts,
                                    const metrics::FoilRules& rules);

// `multi_eval`: P+T. The order of the files matters.
Evaluation evaluate_pair(const EvaluatedItems& evaluated,
                         const annotations::VilmaResults& proficiency,
                         const annotations::VilmaResults& main,
                         const metrics::FoilRules& rules);

// Reads a results file by the rules of the mode: compat keeps the last of two equal ids, as Python
// does.
annotations::VilmaResults read_results(const std::filesystem::path& path, bool is_compat);

}  // namespace snellen::tasks::vilma
