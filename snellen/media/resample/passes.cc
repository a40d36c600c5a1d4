// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/resample/passes.h"

#include <algorithm>
#include <cstring>

namespace snellen::media {
namespace {

void horizontal_plain(const uint8_t* in, const Weights& weights, uint8_t* out) {
  for (int i = 0; i < weights.num_outputs(); ++i, out += 3) {
    const int32_t* taps = weights.taps(i);
    const uint8_t* pixel = in + size_t{3} * static_cast<size_t>(weights.start(i));
    int32_t red = kHalf;
    int32_t green = kHalf;
    int32_t blue = kHalf;
    for (int t = 0; t < weights.count(i); ++t, pixel += 3) {
      red += pixel[0] * taps[t];
      green += pixel[1] * taps[t];
      blue += pixel[2] * taps[t];
    }
    out[0] = to_byte(red);
    out[1] = to_byte(green);
    out[2] = to_byte(blue);
  }
}

// The level to run at: weights that do not fit three bytes go one level down.
SimdLevel usable(SimdLevel level, const Weights& weights) {
  if (level == SimdLevel::kAvx512 && !fits_avx512(weights)) return SimdLevel::kAvx2;
  return level;
}

std::vector<int32_t> split_for(SimdLevel level, const Weights& weights) {
  if (level == SimdLevel::kAvx512) return split_for_avx512(weights);
  if (level == SimdLevel::kAvx2) return split_for_avx2(weights);
  return {};
}

}  // namespace

void horizontal_pass(const BytesView& in, const Weights& weights, Image& out, SimdLevel level) {
  level = usable(level, weights);
  if (level == SimdLevel::kPlain) {
    for (int y = 0; y < out.height; ++y) horizontal_plain(in.row(y), weights, out.row(y).data());
    return;
  }
  const std::vector<int32_t> split = split_for(level, weights);
  // Loads are wider than a window; near the end of the buffer rows are read from a padded copy.
  const size_t reach = size_t{3} * (weights.max_taps() +
                                    static_cast<size_t>(weights.start(weights.num_outputs() - 1))) +
                       kReadAhead;
  std::vector<uint8_t> copies;
  for (int y = 0; y < out.height; y += kRowsAtOnce) {
    RowGroup rows;
    for (int r = 0; r < kRowsAtOnce; ++r) {
      // Beyond the last row it is done again, which changes nothing.
      const int row = std::min(y + r, out.height - 1);
      rows.in[r] = in.row(row);
      rows.out[r] = out.row(row).data();
      if (reach <= static_cast<size_t>(in.buffer_end - rows.in[r])) continue;
      if (copies.empty()) copies.resize(kRowsAtOnce * reach);
      uint8_t* copy = copies.data() + reach * static_cast<size_t>(r);
      std::memcpy(copy, rows.in[r], std::min(in.row_bytes, reach));
      rows.in[r] = copy;
    }
    if (level == SimdLevel::kAvx512) {
      horizontal_avx512(rows, weights, split.data());
    } else {
      horizontal_avx2(rows, weights, split.data());
    }
  }
}

void vertical_plain(
    const BytesView& in, const Weights& weights, int output, size_t from, uint8_t* out) {
  const int32_t* taps = weights.taps(output);
  const int start = weights.start(output);
  for (size_t x = from; x < in.row_bytes; ++x) {
    int32_t sum = kHalf;
    for (int t = 0; t < weights.count(output); ++t) sum += in.row(start + t)[x] * taps[t];
    out[x] = to_byte(sum);
  }
}

void vertical_pass(const BytesView& in, const Weights& weights, Image& out, SimdLevel level) {
  level = usable(level, weights);
  const std::vector<int32_t> split = split_for(level, weights);
  for (int y = 0; y < out.height; ++y) {
    uint8_t* row = out.row(y).data();
    size_t done = 0;
    if (level == SimdLevel::kAvx512) done = vertical_avx512(in, weights, split.data(), y, row);
    if (level == SimdLevel::kAvx2) done = vertical_avx2(in, weights, split.data(), y, row);
    if (done < in.row_bytes) vertical_plain(in, weights, y, done, row);
  }
}

}  // namespace snellen::media
