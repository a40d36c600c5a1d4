// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "snellen/media/corruptions/noise_stream.h"

namespace snellen::media {
namespace {

// ln(gamma(x)) as NumPy computes it; the last bits decide which draws are kept.
double log_gamma(double x) {
  static constexpr std::array<double, 10> kTerms = {8.333333333333333e-02,
                                                    -2.777777777777778e-03,
                                                    7.936507936507937e-04,
                                                    -5.952380952380952e-04,
                                                    8.417508417508418e-04,
                                                    -1.917526917526918e-03,
                                                    6.410256410256410e-03,
                                                    -2.955065359477124e-02,
                                                    1.796443723688307e-01,
                                                    -1.39243221690590e+00};
  if (x == 1.0 || x == 2.0) return 0.0;
  int raised = x < 7.0 ? static_cast<int>(7 - x) : 0;
  double x0 = x + raised;
  double x2 = (1.0 / x0) * (1.0 / x0);
  double sum = kTerms[9];
  for (size_t k = 9; k-- > 0;) {
    sum *= x2;
    sum += kTerms[k];
  }
  double value = sum / x0 + 0.5 * 1.8378770664093453 + (x0 - 0.5) * std::log(x0) - x0;
  for (int k = 0; k < raised; ++k) {
    value -= std::log(x0 - 1.0);
    x0 -= 1.0;
  }
  return value;
}

int64_t draw_by_products(NoiseStream& stream, double mean) {
  double least = std::exp(-mean);
  int64_t count = 0;
  double product = stream.u01();
  while (product > least) {
    ++count;
    product *= stream.u01();
  }
  return count;
}

int64_t draw_by_rejection(NoiseStream& stream, double mean) {
  double log_mean = std::log(mean);
  double b = 0.931 + 2.53 * std::sqrt(mean);
  double a = -0.059 + 0.02483 * b;
  double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
  double quick = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    double u = stream.u01() - 0.5;
    double v = stream.u01();
    double distance = 0.5 - std::fabs(u);
    auto k = static_cast<int64_t>(std::floor((2 * a / distance + b) * u + mean + 0.43));
    if (distance >= 0.07 && v <= quick) return k;
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    double left = std::log(v) + std::log(inverse_alpha) - std::log(a / (distance * distance) + b);
    double right =
        -mean + static_cast<double>(k) * log_mean - log_gamma(static_cast<double>(k) + 1);
    if (left <= right) return k;
  }
}

}  // namespace

int64_t draw_poisson(NoiseStream& stream, double mean) {
  if (mean >= 10) return draw_by_rejection(stream, mean);
  if (mean == 0) return 0;
  return draw_by_products(stream, mean);
}

}  // namespace snellen::media
