// SPDX-License-Identifier: Apache-2.0
// Two systems on the same items: tests that use the pairing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace snellen::stats {

// docs/spec/bias.md 4.4. All p-values are 1 (and the statistic 0) without discordant pairs.
struct McNemar {
  uint64_t only_first;    // b: first right, second wrong
  uint64_t only_second;   // c
  double exact;           // two-sided: min(1, 2 P(Bin(b + c, 1/2) <= min(b, c)))
  double mid_p;           // exact - P(min) when b != c, else 1 - P(b) / 2
  double chi2_corrected;  // max(0, |b - c| - 1)^2 / (b + c)
  double p_corrected;
  // The one to report: exact below 25 discordant pairs, else corrected.
  double p;
  std::string_view method;  // "mcnemar-exact" or "mcnemar-corrected"
};
McNemar mcnemar(uint64_t only_first, uint64_t only_second);

struct SignFlipOptions {
  uint64_t draws = 10000;  // to begin with, 1 to 10 million
  // Where fewer than 10 draws are as far, draws grow until 1 / (draws + 1) is below this: alpha /
  // (10 x the tests that are corrected together). 0: they do not grow.
  double smallest_p = 0.0;
  uint64_t seed = 0;
  unsigned num_threads = 1;
};

struct SignFlip {
  double p;           // (hits + 1) / (draws + 1), never 0
  uint64_t hits = 0;  // draws as far from 0 as the differences, or further
  uint64_t draws = 0;

  // Without a hit, p says only how many draws were made.
  bool is_floor() const { return hits == 0; }
};

// Two-sided test that the mean difference is 0: the signs of the differences are flipped at random,
// draw d by the stream "{seed}|permutation|{d}". Where items share clusters give the sums over
// clusters, whose items then flip together. Equal up to rounding counts as at least as far. Nothing
// when there is no difference or one is not finite.
std::optional<SignFlip> sign_flip_test(std::span<const double> differences,
                                       const SignFlipOptions& options);

}  // namespace snellen::stats
