// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/fourier.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include <unsupported/Eigen/FFT>

#include "snellen/base/error.h"

namespace snellen::media {
namespace {

using Complex = std::complex<double>;

// Eigen's transform takes time proportional to the sum of the prime factors.
constexpr size_t kLargestDirectFactor = 31;

size_t largest_prime_factor(size_t n) {
  size_t largest = 1;
  for (size_t factor = 2; factor * factor <= n; ++factor) {
    while (n % factor == 0) {
      largest = factor;
      n /= factor;
    }
  }
  return n > 1 ? n : largest;
}

}  // namespace

struct Fourier::State {
  size_t length;
  Eigen::FFT<double> fft;
  std::vector<Complex> out;
  // Bluestein: exp(-i pi n^2 / length), and the transform of its conjugate, wrapped around.
  std::vector<Complex> chirp;
  std::vector<Complex> filter;
  std::vector<Complex> work;

  explicit State(size_t n) : length(n), out(n) {
    if (largest_prime_factor(n) <= kLargestDirectFactor) return;
    size_t padded = std::bit_ceil(2 * n - 1);
    chirp.resize(n);
    std::vector<Complex> wrapped(padded);
    for (size_t i = 0; i < n; ++i) {
      // n^2 modulo 2 length keeps the angle small and exact.
      auto square = static_cast<double>(static_cast<uint64_t>(i) * i % (2 * n));
      chirp[i] = std::polar(1.0, -std::numbers::pi * square / static_cast<double>(n));
      wrapped[i] = std::conj(chirp[i]);
      if (i > 0) wrapped[padded - i] = std::conj(chirp[i]);
    }
    filter.resize(padded);
    fft.fwd(filter.data(), wrapped.data(), static_cast<Eigen::Index>(padded));
    out.resize(padded);
  }

  void forward(std::span<Complex> values) {
    SNELLEN_CHECK(values.size() == length);
    if (length == 1) return;  // its own transform, and Eigen's has no stage for it
    if (chirp.empty()) {
      fft.fwd(out.data(), values.data(), static_cast<Eigen::Index>(length));
      std::copy(out.begin(), out.end(), values.begin());
      return;
    }
    auto padded = static_cast<Eigen::Index>(filter.size());
    work.assign(filter.size(), Complex{});
    for (size_t i = 0; i < length; ++i) work[i] = values[i] * chirp[i];
    fft.fwd(out.data(), work.data(), padded);
    for (size_t i = 0; i < out.size(); ++i) out[i] *= filter[i];
    fft.inv(work.data(), out.data(), padded);
    for (size_t i = 0; i < length; ++i) values[i] = work[i] * chirp[i];
  }
};

Fourier::Fourier(size_t length) {
  SNELLEN_CHECK(length > 0);
  state_ = std::make_unique<State>(length);
}

Fourier::~Fourier() = default;

void Fourier::forward(std::span<Complex> values) {
  state_->forward(values);
}

void Fourier::inverse(std::span<Complex> values) {
  for (Complex& value : values) value = std::conj(value);
  state_->forward(values);
  double scale = 1.0 / static_cast<double>(values.size());
  for (Complex& value : values) value = std::conj(value) * scale;
}

}  // namespace snellen::media
