// SPDX-License-Identifier: Apache-2.0
#include "snellen/stats/student.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "snellen/base/error.h"
#include "snellen/stats/interval.h"

namespace snellen::stats {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNormalFrom = 1e7;

// log(Gamma(a + 1/2) / Gamma(a)); the recurrence lifts a to where the series is exact to rounding.
double log_gamma_ratio(double a) {
  double shift = 0.0;
  for (; a < 20.0; a += 1.0) shift += std::log(a / (a + 0.5));
  double y = 1.0 / (a * a);
  double series = (-1.0 / 8 + (1.0 / 192 + (-1.0 / 640 + 17.0 / 14336 * y) * y) * y) / a;
  return shift + 0.5 * std::log(a) + series;
}

// The continued fraction of the incomplete beta function by Lentz's method; x below (a + 1) / (a +
// b + 2) converges fast.
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  auto away_from_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double h = d;
  for (int m = 1; m < 100000; ++m) {
    double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1.0 / away_from_zero(1.0 + even * d);
    c = away_from_zero(1.0 + even / c);
    h *= d * c;
    double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1.0 / away_from_zero(1.0 + odd * d);
    c = away_from_zero(1.0 + odd / c);
    double step = d * c;
    h *= step;
    if (std::abs(step - 1.0) <= kEpsilon) break;
  }
  return h;
}

double density(double t, double df) {
  return std::exp(log_gamma_ratio(0.5 * df) - 0.5 * (df + 1.0) * std::log1p(t * t / df)) /
         std::sqrt(df * std::numbers::pi);
}

}  // namespace

double student_two_sided_p(double t, double degrees_of_freedom) {
  const double df = degrees_of_freedom;
  SNELLEN_CHECK(df > 0.0);
  if (std::isnan(t)) return t;
  if (df >= kNormalFrom) return std::erfc(std::abs(t) / std::numbers::sqrt2);
  if (t == 0.0) return 1.0;
  // I_x(df / 2, 1 / 2) with x = df / (df + t^2), and 1 - I_{1 - x}(1 / 2, df / 2) near 1.
  const double a = 0.5 * df;
  const double square = t * t;
  const double front = std::exp(log_gamma_ratio(a) - a * std::log1p(square / df)) *
                       std::sqrt(square / (df + square) / std::numbers::pi);
  const double x = df / (df + square);
  if (x < (a + 1.0) / (a + 2.5)) return front * beta_fraction(a, 0.5, x) / a;
  return 1.0 - 2.0 * front * beta_fraction(0.5, a, square / (df + square));
}

// Newton on the logarithm of the tail. It is concave in log t and the start lies below the root, or
// the bracket halves.
double student_upper_quantile(double tail, double degrees_of_freedom) {
  SNELLEN_CHECK(tail > 0.0 && tail < 0.5);
  const double df = degrees_of_freedom;
  double t = -normal_quantile(tail);
  if (df >= kNormalFrom) return t;
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2000; ++i) {
    double here = 0.5 * student_two_sided_p(t, df);
    (here > tail ? low : high) = t;
    double step = std::log(here / tail) * here / density(t, df);
    if (std::abs(step) <= 2 * kEpsilon * t) break;
    double next = t + step;
    t = next > low && next < high ? next : (std::isinf(high) ? 2.0 * t : 0.5 * (low + high));
  }
  return t;
}

}  // namespace snellen::stats
