// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/paired.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/rng.h"
#include "snellen/stats/binomial.h"
#include "snellen/stats/parallel.h"

namespace snellen::stats {
namespace {

constexpr uint64_t kExactBelow = 25;  // discordant pairs, docs/spec/bias.md 4.4
constexpr uint64_t kMostDraws = 10'000'000;
constexpr uint64_t kFewHits = 10;  // a p of so many is known well enough

// Four neighbouring differences and the sum of each of their 16 subsets: one look-up in place of
// four additions.
using SubsetSums = std::array<double, 16>;

std::vector<SubsetSums> subset_sums_of(std::span<const double> differences) {
  std::vector<SubsetSums> table((differences.size() + 3) / 4, SubsetSums{});
  for (size_t i = 0; i < differences.size(); ++i) {
    size_t bit = size_t{1} << (i % 4);
    for (size_t subset = 0; subset < 16; ++subset) {
      if (subset & bit) table[i / 4][subset] += differences[i];
    }
  }
  return table;
}

// Sum of the differences whose bit in the stream is 1, 64 items to a draw, lowest bit first.
double chosen_sum(std::span<const SubsetSums> table, Rng rng) {
  double sum = 0.0;
  for (size_t start = 0; start < table.size(); start += 16) {
    uint64_t bits = rng.next();
    size_t end = std::min(table.size(), start + 16);
    for (size_t i = start; i < end; ++i, bits >>= 4) sum += table[i][bits & 15U];
  }
  return sum;
}

}  // namespace

McNemar mcnemar(uint64_t only_first, uint64_t only_second) {
  McNemar test{only_first, only_second, 1.0, 1.0, 0.0, 1.0, 1.0, "mcnemar-exact"};
  uint64_t pairs = only_first + only_second;
  if (pairs == 0) return test;
  uint64_t fewer = std::min(only_first, only_second);
  double at_fewer = binomial_pmf(fewer, pairs, 0.5);
  test.exact = std::min(1.0, 2.0 * binomial_lower_tail(fewer, pairs, 0.5));
  test.mid_p = only_first == only_second ? 1.0 - 0.5 * at_fewer : test.exact - at_fewer;
  double apart = static_cast<double>(pairs - 2 * fewer);
  double corrected = std::max(0.0, apart - 1.0);
  test.chi2_corrected = corrected * corrected / static_cast<double>(pairs);
  test.p_corrected = std::erfc(std::sqrt(test.chi2_corrected / 2.0));
  bool is_exact = pairs < kExactBelow;
  test.p = is_exact ? test.exact : test.p_corrected;
  test.method = is_exact ? "mcnemar-exact" : "mcnemar-corrected";
  return test;
}

std::optional<SignFlip> sign_flip_test(std::span<const double> differences,
                                       const SignFlipOptions& options) {
  if (options.draws == 0 || options.draws > kMostDraws) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} permutation draws, expected 1 to {}", options.draws, kMostDraws),
                {},
                "10000 is the usual number");
  }
  if (differences.empty()) return std::nullopt;
  std::vector<double> moved(differences.begin(), differences.end());
  std::erase(moved, 0.0);  // no sign to flip
  double total = 0.0;
  double size = 0.0;
  for (double difference : moved) {
    total += difference;
    size += std::abs(difference);
  }
  if (!std::isfinite(size)) return std::nullopt;
  const double bar = std::abs(total) - 1e-12 * size;
  const std::vector<SubsetSums> table = subset_sums_of(moved);
  const Rng stream = Rng(options.seed).fork("permutation");
  SignFlip test{.p = 1.0};
  for (uint64_t wanted = options.draws; test.draws < wanted;) {
    std::atomic<uint64_t> hits{0};
    const uint64_t done = test.draws;
    for_ranges(wanted - done, options.num_threads, [&](uint64_t begin, uint64_t end) {
      uint64_t here = 0;
      for (uint64_t draw = done + begin; draw < done + end; ++draw) {
        // Those chosen keep their sign, the others flip it.
        double flipped = 2.0 * chosen_sum(table, stream.fork(draw)) - total;
        if (std::abs(flipped) >= bar) ++here;
      }
      hits += here;
    });
    test.hits += hits;
    test.draws = wanted;
    double floor = 1.0 / (static_cast<double>(wanted) + 1.0);
    if (test.hits < kFewHits && floor >= options.smallest_p && options.smallest_p > 0.0) {
      double needed =
          std::min(std::ceil(1.0 / options.smallest_p), static_cast<double>(kMostDraws));
      wanted = std::max(wanted, std::min(10 * wanted, static_cast<uint64_t>(needed)));
    }
  }
  test.p = (static_cast<double>(test.hits) + 1.0) / (static_cast<double>(test.draws) + 1.0);
  return test;
}

}  // namespace snellen::stats
