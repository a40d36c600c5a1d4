// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/corruptions/noise_stream.h"

#include <charconv>
#include <cmath>

#include "snellen/base/error.h"
#include "snellen/base/hash.h"
#include "snellen/media/corruptions/gauss_pairs.h"

namespace snellen::media {

uint64_t state_of(const NoiseKey& key) {
  std::string hex = sha256_hex(fmt::format(
      "bias-noise-v1\n{}\n{}\n{}\n{}", key.seed, key.image_id, key.level, key.replicate));
  uint64_t state = 0;
  std::from_chars(hex.data(), hex.data() + 16, state, 16);
  return state;
}

uint64_t SplitMixStream::below(uint64_t n) {
  SNELLEN_CHECK(n > 0);
  uint64_t threshold = (0 - n) % n;  // 2^64 mod n
  uint64_t draw = next();
  while (draw < threshold) draw = next();
  return draw % n;
}

void SplitMixStream::fill_gauss(std::span<double> values) {
  if (!values.empty() && kept_gauss_) {
    values[0] = *kept_gauss_;
    kept_gauss_.reset();
    values = values.subspan(1);
  }
  size_t num_pairs = values.size() / 2;
  fill_gauss_pairs(state_, values.first(2 * num_pairs));
  state_ += kSplitMixGamma * (2 * num_pairs);
  if (values.size() % 2 != 0) {
    std::array<double, 2> pair{};
    fill_gauss_pairs(state_, pair);
    state_ += kSplitMixGamma * 2;
    values.back() = pair[0];
    kept_gauss_ = pair[1];
  }
}

bool SplitMixStream::coin() {
  if (num_coins_ == 0) {
    coins_ = next();
    num_coins_ = 64;
  }
  bool is_head = (coins_ & 1U) != 0;
  coins_ >>= 1;
  --num_coins_;
  return is_head;
}

double NumpyStream::u01() {
  auto high = static_cast<uint32_t>(words_() >> 5);
  auto low = static_cast<uint32_t>(words_() >> 6);
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

void NumpyStream::fill_gauss(std::span<double> values) {
  for (double& value : values) {
    if (kept_gauss_) {
      value = *kept_gauss_;
      kept_gauss_.reset();
      continue;
    }
    double x1 = 0;
    double x2 = 0;
    double square = 0;
    do {
      x1 = 2.0 * u01() - 1.0;
      x2 = 2.0 * u01() - 1.0;
      square = x1 * x1 + x2 * x2;
    } while (square >= 1.0 || square == 0.0);
    double factor = std::sqrt(-2.0 * std::log(square) / square);
    kept_gauss_ = factor * x1;
    value = factor * x2;
  }
}

}  // namespace snellen::media
