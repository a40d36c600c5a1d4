// SPDX-License-Identifier: Apache-2.0
// The two evaluators of docs/spec/vilma.md: `eval` over one results file, `multi_eval` (P+T) over
// two. Pure functions over views: reading files and choosing the evaluated items is the caller's
// part. Shares are fractions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/metrics/choice/foil_choice.h"
#include "snellen/metrics/vilma/foil_probability.h"

namespace snellen::metrics {

// What one results file says about one item.
struct FoilPartView {
  size_t num_foils = 1;                           // as annotated
  std::optional<std::span<const double>> scores;  // nothing when the file lacks the id
};

struct FoilItemView {
  std::string_view id;
  std::string_view clip;  // items of one clip are not independent
  FoilPartView part;
};

struct FoilPairView {
  std::string_view id;
  std::string_view clip;
  FoilPartView proficiency;
  FoilPartView test;
};

// What becomes of an item that cannot be judged. kWrong counts it wrong in every metric: no credit,
// and in the probability metrics a caption of 0 against foils of 1.
enum class OnMissing { kError, kSkip, kWrong };
enum class OnNonFinite { kError, kWrong };
// kTruncate compares the texts that both the annotation and the entry have; at least one foil must
// remain.
enum class OnLengthMismatch { kError, kTruncate };

struct FoilRules {
  FoilMode mode = FoilMode::kSimilarity;
  // The reference bit for bit: float32, ties right, any length from 1, NaN the best score, padding
  // and sigmoid bugs; a missing id is an error whatever `missing` says, and `ties` and the two
  // rules after it are not looked at.
  bool is_compat = false;
  FoilTies ties = FoilTies::kFoil;
  OnMissing missing = OnMissing::kError;
  OnNonFinite non_finite = OnNonFinite::kError;
  OnLengthMismatch length_mismatch = OnLengthMismatch::kError;
};

// Ids that the rules refuse, in the order of the items; empty lists when nothing is wrong.
struct FoilProblems {
  std::vector<std::string> missing;
  std::vector<std::string> wrong_length;
  std::vector<std::string> non_finite;
};
FoilProblems find_foil_problems(std::span<const FoilItemView> items, const FoilRules& rules);
FoilProblems find_foil_problems(std::span<const FoilPairView> items, const FoilRules& rules);

struct FoilRow {
  std::string id;
  std::string clip;
  size_t num_foils = 0;       // foils compared in `test`
  size_t num_prof_foils = 0;  // foils compared in `proficiency`
  FoilDecision test;          // the only decision of `eval`, the main test's in `multi_eval`
  std::optional<FoilDecision> proficiency;
  // What the item counts: test.credit, times proficiency.credit in multi_eval (the expectation of
  // two coins when both are ties and ties count half).
  double credit = 0.0;
  bool is_tied = false;  // a tie decided: the item is neither right nor lost without the tie rule
};

struct FoilReport {
  bool is_pair = false;                        // made by multi_eval
  double num_correct = 0.0;                    // whole unless ties count half
  double acc_r = 0.0;                          // num_correct / rows
  uint64_t num_ties = 0;                       // rows decided by a tie
  uint64_t num_skipped = 0;                    // missing items left out
  uint64_t num_made_wrong = 0;                 // missing or non-finite items counted wrong
  std::optional<FoilProbability> probability;  // probability mode only
  std::string reason;                          // why there is none: "score_out_of_range: ..."
  std::vector<FoilRow> rows;                   // in the order of the items
  // Probability mode: the scores that the five were counted over, a row per item, after the rules
  // for missing scores and failed proficiency.
  std::vector<std::vector<double>> texts;
};

// `longest_entry`: the most scores of any entry of the results file, evaluated or not (compat pads
// to it). Both throw kInvalidInput naming the ids when the rules refuse an item, and when no item
// is left to score.
FoilReport evaluate_foils(std::span<const FoilItemView> items,
                          size_t longest_entry,
                          const FoilRules& rules);
// In probability mode a failed proficiency test replaces the item's scores by 0.001 (caption) and
// 0.999 (foils).
FoilReport evaluate_foil_pairs(std::span<const FoilPairView> items, const FoilRules& rules);

// 100 * fraction to two decimals as Python's round() gives it: half to even on the exact binary
// value.
double rounded_percent(double fraction);
// What the reference prints, line for line.
std::vector<std::string> compat_lines(const FoilReport& report);

}  // namespace snellen::metrics
