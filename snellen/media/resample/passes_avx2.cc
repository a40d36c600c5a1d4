// SPDX-License-Identifier: Apache-2.0
// A weight has 24 bits and pmaddwd multiplies 16: each is split into weight = high * 4096 + low and
// the two sums are joined at the end. Everything is modulo 2^32, so the split is exact.
#include <immintrin.h>

#include <cstring>

#include "snellen/media/resample/passes.h"

#define SNELLEN_AVX2 __attribute__((target("avx2")))

namespace snellen::media {
namespace {

constexpr int kLowBits = 12;

int32_t pair_of(int32_t first, int32_t second) {
  return static_cast<int32_t>((static_cast<uint32_t>(first) & 0xffffu) |
                              (static_cast<uint32_t>(second) << 16));
}

SNELLEN_AVX2 __m256i load_pair(const uint8_t* low, const uint8_t* high) {
  return _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(low))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(high)),
      1);
}

SNELLEN_AVX2 __m256i finished(__m256i low, __m256i high) {
  __m256i sum = _mm256_add_epi32(_mm256_slli_epi32(high, kLowBits), low);
  return _mm256_srai_epi32(_mm256_add_epi32(sum, _mm256_set1_epi32(kHalf)), kWeightBits);
}

// Adds two taps of eight sums.
SNELLEN_AVX2 void add_taps(
    __m256i pixels, __m256i low_taps, __m256i high_taps, __m256i& low, __m256i& high) {
  low = _mm256_add_epi32(low, _mm256_madd_epi16(pixels, low_taps));
  high = _mm256_add_epi32(high, _mm256_madd_epi16(pixels, high_taps));
}

SNELLEN_AVX2 void store_pixel(__m256i two_rows, uint8_t* first, uint8_t* second, bool is_last) {
  __m256i bytes = _mm256_packus_epi16(_mm256_packs_epi32(two_rows, two_rows), two_rows);
  int32_t low = _mm_cvtsi128_si32(_mm256_castsi256_si128(bytes));
  int32_t high = _mm_cvtsi128_si32(_mm256_extracti128_si256(bytes, 1));
  if (is_last) {
    std::memcpy(first, &low, 3);
    std::memcpy(second, &high, 3);
  } else {  // the fourth byte is overwritten by the next pixel
    std::memcpy(first, &low, 4);
    std::memcpy(second, &high, 4);
  }
}

}  // namespace

// For every two taps: the pair of low parts, then the pair of high parts.
std::vector<int32_t> split_for_avx2(const Weights& weights) {
  std::vector<int32_t> split;
  split.reserve(weights.max_taps() * static_cast<size_t>(weights.num_outputs()));
  for (int i = 0; i < weights.num_outputs(); ++i) {
    const int32_t* taps = weights.taps(i);
    for (size_t t = 0; t < weights.max_taps(); t += 2) {
      constexpr int32_t kLowMask = (1 << kLowBits) - 1;
      split.push_back(pair_of(taps[t] & kLowMask, taps[t + 1] & kLowMask));
      split.push_back(pair_of(taps[t] >> kLowBits, taps[t + 1] >> kLowBits));
    }
  }
  return split;
}

SNELLEN_AVX2 void horizontal_avx2(const RowGroup& rows,
                                  const Weights& weights,
                                  const int32_t* split) {
  // Four pixels of 3 bytes -> 16-bit pairs (r0 r1)(g0 g1)(b0 b1)(0 0), and those of pixels 2 and 3.
  const __m256i first_two = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1));
  const __m256i next_two = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1));
  const int last = weights.num_outputs() - 1;
  for (int i = 0; i <= last; ++i, split += weights.max_taps()) {
    __m256i low_a = _mm256_setzero_si256();
    __m256i high_a = low_a;
    __m256i low_b = low_a;
    __m256i high_b = low_a;
    size_t at = size_t{3} * static_cast<size_t>(weights.start(i));
    const int num_taps = weights.count(i);
    const int32_t* taps = split;
    for (int t = 0; t < num_taps; t += 4, at += 12, taps += 4) {
      const __m256i a = load_pair(rows.in[0] + at, rows.in[1] + at);
      const __m256i b = load_pair(rows.in[2] + at, rows.in[3] + at);
      __m256i low_taps = _mm256_set1_epi32(taps[0]);
      __m256i high_taps = _mm256_set1_epi32(taps[1]);
      add_taps(_mm256_shuffle_epi8(a, first_two), low_taps, high_taps, low_a, high_a);
      add_taps(_mm256_shuffle_epi8(b, first_two), low_taps, high_taps, low_b, high_b);
      low_taps = _mm256_set1_epi32(taps[2]);
      high_taps = _mm256_set1_epi32(taps[3]);
      add_taps(_mm256_shuffle_epi8(a, next_two), low_taps, high_taps, low_a, high_a);
      add_taps(_mm256_shuffle_epi8(b, next_two), low_taps, high_taps, low_b, high_b);
    }
    const size_t out = size_t{3} * static_cast<size_t>(i);
    store_pixel(finished(low_a, high_a), rows.out[0] + out, rows.out[1] + out, i == last);
    store_pixel(finished(low_b, high_b), rows.out[2] + out, rows.out[3] + out, i == last);
  }
}

SNELLEN_AVX2 size_t vertical_avx2(
    const BytesView& in, const Weights& weights, const int32_t* split, int output, uint8_t* out) {
  constexpr size_t kBlock = 32;
  if (in.row_bytes < kBlock) return 0;
  const __m256i zero = _mm256_setzero_si256();
  const int32_t* all_taps = split + weights.max_taps() * static_cast<size_t>(output);
  const int start = weights.start(output);
  const int num_taps = weights.count(output);
  for (size_t x = 0;; x = x + 2 * kBlock <= in.row_bytes ? x + kBlock : in.row_bytes - kBlock) {
    __m256i low[4] = {zero, zero, zero, zero};
    __m256i high[4] = {zero, zero, zero, zero};
    for (int t = 0; t < num_taps; t += 2) {
      const uint8_t* first = in.row(start + t) + x;
      const uint8_t* second = in.row(start + (t + 1 < num_taps ? t + 1 : t)) + x;
      const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(first));
      const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(second));
      const __m256i low_taps = _mm256_set1_epi32(all_taps[t]);
      const __m256i high_taps = _mm256_set1_epi32(all_taps[t + 1]);
      const __m256i left = _mm256_unpacklo_epi8(a, b);
      const __m256i right = _mm256_unpackhi_epi8(a, b);
      add_taps(_mm256_unpacklo_epi8(left, zero), low_taps, high_taps, low[0], high[0]);
      add_taps(_mm256_unpackhi_epi8(left, zero), low_taps, high_taps, low[1], high[1]);
      add_taps(_mm256_unpacklo_epi8(right, zero), low_taps, high_taps, low[2], high[2]);
      add_taps(_mm256_unpackhi_epi8(right, zero), low_taps, high_taps, low[3], high[3]);
    }
    // The packs undo the unpacks, lane by lane.
    const __m256i left = _mm256_packs_epi32(finished(low[0], high[0]), finished(low[1], high[1]));
    const __m256i right = _mm256_packs_epi32(finished(low[2], high[2]), finished(low[3], high[3]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + x), _mm256_packus_epi16(left, right));
    if (x + kBlock == in.row_bytes) return in.row_bytes;
  }
}

}  // namespace snellen::media
