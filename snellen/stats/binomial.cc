// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/binomial.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "snellen/base/error.h"

namespace snellen::stats {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNegligible = kEpsilon / 16;

// log(n!) minus Stirling's formula; the series is exact to rounding from 16 on.
double stirling_error(uint64_t n) {
  constexpr std::array<double, 16> kSmall = {
      0.0,
      0.08106146679532725822,
      0.04134069595540929409,
      0.02767792568499833915,
      0.02079067210376509311,
      0.01664469118982119216,
      0.01387612882307074800,
      0.01189670994589177010,
      0.01041126526197209650,
      0.009255462182712732918,
      0.008330563433362871257,
      0.007573675487951840795,
      0.006942840107209529866,
      0.006408994188004207068,
      0.005951370112758847736,
      0.005554733551962801371,
  };
  if (n < kSmall.size()) return kSmall[n];
  double x = static_cast<double>(n);
  double y = 1.0 / (x * x);
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - y / 1188) * y) * y) * y) / x;
}

// x log(x / m) + m - x without cancellation when x is near m.
double deviance(double x, double m) {
  if (std::abs(x - m) >= 0.1 * (x + m)) return x * std::log(x / m) + m - x;
  double v = (x - m) / (x + m);
  double sum = (x - m) * v;
  double term = 2.0 * x * v;
  v *= v;
  for (int j = 1; j < 1000; ++j) {
    term *= v;
    double next = sum + term / (2 * j + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

// Sums of terms on one side of k, outwards. Beyond the mean the terms shrink, so this ends after
// about sqrt(n) of them and nothing cancels.
double sum_downwards(uint64_t k, uint64_t n, double p) {
  double odds = (1.0 - p) / p;
  double term = binomial_pmf(k, n, p);
  double sum = term;
  for (uint64_t i = k; i > 0 && term > sum * kNegligible; --i) {
    term *= odds * (static_cast<double>(i) / static_cast<double>(n - i + 1));
    sum += term;
  }
  return sum;
}

double sum_upwards(uint64_t k, uint64_t n, double p) {
  double odds = p / (1.0 - p);
  double term = binomial_pmf(k, n, p);
  double sum = term;
  for (uint64_t i = k; i < n && term > sum * kNegligible; ++i) {
    term *= odds * (static_cast<double>(n - i) / static_cast<double>(i + 1));
    sum += term;
  }
  return sum;
}

}  // namespace

// Loader 2000, "Fast and accurate computation of binomial probabilities": no difference of large
// logarithms.
double binomial_pmf(uint64_t k, uint64_t n, double p) {
  SNELLEN_CHECK(p >= 0.0 && p <= 1.0);
  if (k > n) return 0.0;
  if (p == 0.0) return k == 0 ? 1.0 : 0.0;
  if (p == 1.0) return k == n ? 1.0 : 0.0;
  double all = static_cast<double>(n);
  if (k == 0) return std::exp(all * std::log1p(-p));
  if (k == n) return std::exp(all * std::log(p));
  double hits = static_cast<double>(k);
  double misses = static_cast<double>(n - k);
  double log_ratio = stirling_error(n) - stirling_error(k) - stirling_error(n - k) -
                     deviance(hits, all * p) - deviance(misses, all * (1.0 - p));
  return std::exp(log_ratio) * std::sqrt(all / (2.0 * std::numbers::pi * hits * misses));
}

double binomial_lower_tail(uint64_t k, uint64_t n, double p) {
  if (k >= n || p == 0.0) return 1.0;
  if (p == 1.0) return 0.0;
  const bool is_below_mean = static_cast<double>(k) < static_cast<double>(n) * p;
  return is_below_mean ? sum_downwards(k, n, p) : 1.0 - sum_upwards(k + 1, n, p);
}

}  // namespace snellen::stats
