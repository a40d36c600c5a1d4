// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/control/noise_statistics.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/error.h"

namespace snellen::builders::control {
namespace {

constexpr double kPixelsOfTolerances = 1024.0 * 1024.0;

// Counts of every pair of a clean and a noisy value: all figures follow from them exactly.
struct Measured {
  double n = 0;
  double clean_mean = 0;
  double mean = 0;
  double variance = 0;
  double clean_variance = 0;
  double covariance = 0;
  double mean_square_error = 0;
  double share_of_0 = 0;
  double share_of_255 = 0;
  media::Histogram clean = {};
};

Measured measure(const media::Image& clean, const media::Image& noisy, size_t channel) {
  Measured out;
  uint64_t sum_p = 0, sum_k = 0, sum_pp = 0, sum_kk = 0, sum_pk = 0, zeros = 0, tops = 0;
  for (size_t i = channel; i < clean.pixels.size(); i += 3) {
    const uint64_t p = clean.pixels[i];
    const uint64_t k = noisy.pixels[i];
    ++out.clean[p];
    sum_p += p;
    sum_k += k;
    sum_pp += p * p;
    sum_kk += k * k;
    sum_pk += p * k;
    zeros += k == 0;
    tops += k == 255;
  }
  const auto as_double = [](uint64_t sum) { return static_cast<double>(sum); };
  out.n = as_double(clean.pixels.size() / 3);
  out.clean_mean = as_double(sum_p) / out.n;
  out.mean = as_double(sum_k) / out.n;
  out.clean_variance = as_double(sum_pp) / out.n - out.clean_mean * out.clean_mean;
  out.variance = as_double(sum_kk) / out.n - out.mean * out.mean;
  out.covariance = as_double(sum_pk) / out.n - out.clean_mean * out.mean;
  out.mean_square_error = as_double(sum_pp + sum_kk - 2 * sum_pk) / out.n;
  out.share_of_0 = as_double(zeros) / out.n;
  out.share_of_255 = as_double(tops) / out.n;
  return out;
}

}  // namespace

bool NoiseFigure::is_within() const {
  if (std::isnan(expected)) return true;  // a channel of one value has no correlation
  return std::abs(measured - expected) <= tolerance;
}

std::vector<NoiseFigure> noise_figures(const media::Image& clean,
                                       const media::Image& noisy,
                                       size_t channel,
                                       std::optional<double> sigma) {
  SNELLEN_CHECK(clean.width == noisy.width && clean.height == noisy.height);
  const Measured seen = measure(clean, noisy, channel);
  const double wider = std::sqrt(std::max(1.0, kPixelsOfTolerances / seen.n));
  const double correlation = seen.covariance / std::sqrt(seen.clean_variance * seen.variance);
  std::vector<NoiseFigure> figures;
  auto add = [&](std::string_view name, double expected, double measured, double tolerance) {
    figures.push_back({name, expected, measured, tolerance * wider});
  };
  if (!sigma) {
    add("mean", 127.5, seen.mean, 0.5);
    add("std", 127.5, std::sqrt(seen.variance), 0.4);
    add("p0", 0.5, seen.share_of_0, 0.002);
    add("p255", 0.5, seen.share_of_255, 0.002);
    add("corr_with_clean", seen.clean_variance > 0 ? 0 : std::nan(""), correlation, 0.004);
    return figures;
  }
  const media::NoiseExpectation want = media::expected_noise(seen.clean, *sigma);
  add("mean", want.mean, seen.mean, 0.5);
  add("std", want.std, std::sqrt(seen.variance), 0.4);
  add("p0", want.share_of_0, seen.share_of_0, 0.002);
  add("p255", want.share_of_255, seen.share_of_255, 0.002);
  add("corr_with_clean", want.correlation, correlation, 0.004);
  add("mse", want.mean_square_error, seen.mean_square_error, 80);
  return figures;
}

}  // namespace snellen::builders::control
