// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>
#include <span>

namespace snellen::media {

// Discrete Fourier transforms of one length, any length, in n log n: Eigen's, and Bluestein's
// algorithm over Eigen's powers of two where the length has a large prime factor. One thread at a
// time.
class Fourier {
 public:
  explicit Fourier(size_t length);
  ~Fourier();
  Fourier(const Fourier&) = delete;
  Fourier& operator=(const Fourier&) = delete;

  // X[k] = sum x[n] exp(-2 pi i k n / length), in place.
  void forward(std::span<std::complex<double>> values);
  // The inverse of forward, divided by the length.
  void inverse(std::span<std::complex<double>> values);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace snellen::media
