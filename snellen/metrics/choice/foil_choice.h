// SPDX-License-Identifier: Apache-2.0
// Does the true caption beat its foils? The decision on one item (docs/spec/vilma.md 3.2, "acc_r").
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace snellen::metrics {

enum class FoilMode {
  kSimilarity,   // higher is better, any range
  kProbability,  // higher is better, in [0, 1]
  kPerplexity,   // lower is better
};

// Who is given a caption that scores exactly as its best foil. kHalf counts the item one half.
enum class FoilTies { kCaption, kFoil, kHalf };

// The word of a flag; nothing for any other word.
std::optional<FoilMode> foil_mode_of(std::string_view name);
std::string_view name_of(FoilMode mode);
std::string_view name_of(FoilTies ties);

struct FoilDecision {
  double credit = 0.0;  // 1 right, 0 wrong, 0.5 for a tie under kHalf
  bool is_tied = false;
  // Caption minus best foil, turned so that positive is right; nothing without foils or with a NaN
  // in it.
  std::optional<double> margin;
};

// `scores` holds the caption's score, then the foils'; not empty. Right iff strictly better than
// every foil, compared in double; a tie goes by `ties`. A NaN anywhere is wrong. Without foils the
// caption wins.
FoilDecision decide_foil(std::span<const double> scores, FoilMode mode, FoilTies ties);

// What the reference does: scores rounded to float32, the first best index wins (a tie is right),
// NaN is the best.
FoilDecision decide_foil_compat(std::span<const double> scores, FoilMode mode);

// The share right of somebody who guesses: 1 / (1 + foils).
double foil_chance(size_t num_foils);

}  // namespace snellen::metrics
