// SPDX-License-Identifier: Apache-2.0
// The two random streams that pictures are spoilt with (docs/spec/bias.md 1.3): ours, keyed by
// picture and level, and NumPy's legacy generator, which the reference ran.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string_view>

#include "snellen/base/splitmix.h"

namespace snellen::media {

enum class ChannelOrder { kRgb, kBgr };

// One thread at a time.
class NoiseStream {
 public:
  virtual ~NoiseStream() = default;

  // Uniform in [0, 1), 53 bits.
  virtual double u01() = 0;
  // Standard normals.
  virtual void fill_gauss(std::span<double> values) = 0;
  virtual bool coin() = 0;
  // In which order the channels of a pixel consume the stream.
  virtual ChannelOrder order() const = 0;
};

// What a picture's stream is named by.
struct NoiseKey {
  uint64_t seed = 0;
  std::string_view image_id;  // the file's stem
  std::string_view level;     // "e2", "pure", or a corruption's name: "gauss:100"
  uint64_t replicate = 0;
};

// First 8 bytes, big-endian, of SHA-256 of
// "bias-noise-v1\n{seed}\n{image_id}\n{level}\n{replicate}".
uint64_t state_of(const NoiseKey& key);

// SplitMix64; Gaussian pairs by Box-Muller, cosine first. Coins are the bits of a draw, low first.
class SplitMixStream final : public NoiseStream {
 public:
  explicit SplitMixStream(uint64_t state) : state_(state) {}
  explicit SplitMixStream(const NoiseKey& key) : SplitMixStream(state_of(key)) {}

  uint64_t next() {
    state_ += kSplitMixGamma;
    return splitmix64(state_);
  }
  // Uniform in [0, n), n > 0, without modulo bias.
  uint64_t below(uint64_t n);

  double u01() override { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  void fill_gauss(std::span<double> values) override;
  bool coin() override;
  ChannelOrder order() const override { return ChannelOrder::kRgb; }

 private:
  uint64_t state_;
  std::optional<double> kept_gauss_;
  uint64_t coins_ = 0;
  int num_coins_ = 0;
};

// numpy.random.RandomState(seed): MT19937, polar Gaussians (the second drawn comes first), channels
// in B, G, R. One stream runs on over all levels and files of a run.
class NumpyStream final : public NoiseStream {
 public:
  explicit NumpyStream(uint32_t seed) : words_(seed) {}

  double u01() override;
  void fill_gauss(std::span<double> values) override;
  bool coin() override { return (words_() & 1U) != 0; }  // randint(0, 2)
  ChannelOrder order() const override { return ChannelOrder::kBgr; }

 private:
  std::mt19937 words_;
  std::optional<double> kept_gauss_;
};

// A Poisson number as NumPy draws it from a stream of uniform doubles: products below a mean of 10,
// transformed rejection (Hoermann 1993, PTRS) from there on. 0 <= mean <= 1e9.
int64_t draw_poisson(NoiseStream& stream, double mean);

}  // namespace snellen::media
