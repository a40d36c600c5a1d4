// SPDX-License-Identifier: Apache-2.0
// Captions against foils as one binary question over all texts (docs/spec/vilma.md 3.2, 3.3): p_c,
// p_f, acc, auroc. Each row holds one item's scores, the caption's first. Every value is a
// fraction, not percent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace snellen::metrics {

struct FoilCounts {
  uint64_t tp = 0;       // captions with score > 0.5
  uint64_t fp = 0;       // foils with score > 0.5
  uint64_t tn = 0;       // the other foils
  uint64_t fn = 0;       // the other captions
  uint64_t foil_tp = 0;  // foils with 1 - score > 0.5
  uint64_t foil_fp = 0;  // captions with 1 - score > 0.5
  uint64_t n_pos = 0;
  uint64_t n_neg = 0;
};

// An empty denominator gives 0 for p_c, p_f and acc, as the specification says; the counts tell.
struct FoilProbability {
  FoilCounts counts;
  double p_c = 0.0;  // tp / (tp + fp)
  double p_f = 0.0;  // foil_tp / (foil_tp + foil_fp)
  double acc = 0.0;  // (tp + tn) / all
  // The chance that a random caption outscores a random foil, ties one half; nothing without both
  // kinds.
  std::optional<double> auroc;
};

using ScoreRows = std::vector<std::span<const double>>;

// The first score outside [0, 1] (or NaN) as {row, column}; nothing when all are probabilities.
struct ScorePlace {
  size_t row;
  size_t column;
};
std::optional<ScorePlace> find_out_of_range(const ScoreRows& rows);

// Needs every score in [0, 1]; throws kInvalidInput "score_out_of_range" otherwise.
FoilProbability foil_probability(const ScoreRows& rows);

// The reference's `eval`: scores rounded to float32 and padded with -inf to `num_columns`; one
// value outside [0, 1], padding included, sends all of them through a sigmoid before the threshold
// (not before auroc, which drops the padding first). Infinite scores are taken for padding. Ratios
// are float32; no auroc without both kinds gives 0.
FoilProbability foil_probability_compat(const ScoreRows& rows, size_t num_columns);

// The reference's `multi_eval`: the same in float32 throughout and without padding.
FoilProbability foil_probability_multi_compat(const ScoreRows& rows);

}  // namespace snellen::metrics
