// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/noise_expectation.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "snellen/base/error.h"

namespace snellen::media {
namespace {

// P(low < Z <= high), by whichever tail keeps the digits.
double normal_between(double low, double high) {
  constexpr double kHalf = 0.5;
  if (low > 0)
    return kHalf * (std::erfc(low / std::numbers::sqrt2) - std::erfc(high / std::numbers::sqrt2));
  return kHalf * (std::erfc(-high / std::numbers::sqrt2) - std::erfc(-low / std::numbers::sqrt2));
}

}  // namespace

NoiseExpectation expected_noise(const Histogram& clean, double sigma) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double n = 0;
  double sum = 0;
  for (size_t p = 0; p < clean.size(); ++p) {
    n += static_cast<double>(clean[p]);
    sum += static_cast<double>(p) * static_cast<double>(clean[p]);
  }
  SNELLEN_CHECK(n > 0 && sigma > 0);
  NoiseExpectation out;
  out.clean_mean = sum / n;
  std::array<double, 256> share{};  // of each output value
  double together = 0;              // E[(p - clean mean) k]
  double clean_variance = 0;
  for (size_t p = 0; p < clean.size(); ++p) {
    if (clean[p] == 0) continue;
    double weight = static_cast<double>(clean[p]) / n;
    auto value = static_cast<double>(p);
    double given = 0;
    for (size_t k = 0; k < share.size(); ++k) {
      auto result = static_cast<double>(k);
      double low = k == 0 ? -kInfinity : (result - 0.5 - value) / sigma;
      double high = k == 255 ? kInfinity : (result + 0.5 - value) / sigma;
      double probability = normal_between(low, high);
      share[k] += weight * probability;
      given += probability * result;
      out.mean_square_error += weight * probability * (result - value) * (result - value);
    }
    double centred = value - out.clean_mean;
    together += weight * centred * given;
    clean_variance += weight * centred * centred;
  }
  double variance = 0;
  for (size_t k = 0; k < share.size(); ++k) out.mean += share[k] * static_cast<double>(k);
  for (size_t k = 0; k < share.size(); ++k)
    variance +=
        share[k] * (static_cast<double>(k) - out.mean) * (static_cast<double>(k) - out.mean);
  out.clean_std = std::sqrt(clean_variance);
  out.std = std::sqrt(variance);
  out.share_of_0 = share[0];
  out.share_of_255 = share[255];
  out.correlation = clean_variance > 0 && variance > 0 ? together / (out.clean_std * out.std)
                                                       : std::numeric_limits<double>::quiet_NaN();
  return out;
}

}  // namespace snellen::media
