// SPDX-License-Identifier: Apache-2.0
// vpdpbusd adds four products of an unsigned and a signed byte: a weight becomes three signed
// bytes, weight = b0 + 256 * b1 + 65536 * b2, and the three sums are joined at the end. Everything
// is modulo 2^32, so the split is exact.
#include <immintrin.h>

#include <cstdlib>
#include <cstring>

#include "snellen/media/resample/passes.h"

#define SNELLEN_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vnni")))

namespace snellen::media {
namespace {

struct Sums {
  __m512i byte0;
  __m512i byte1;
  __m512i byte2;
};

SNELLEN_AVX512 void add_taps(__m512i pixels, const int32_t* taps, Sums& sums) {
  sums.byte0 = _mm512_dpbusd_epi32(sums.byte0, pixels, _mm512_set1_epi32(taps[0]));
  sums.byte1 = _mm512_dpbusd_epi32(sums.byte1, pixels, _mm512_set1_epi32(taps[1]));
  sums.byte2 = _mm512_dpbusd_epi32(sums.byte2, pixels, _mm512_set1_epi32(taps[2]));
}

SNELLEN_AVX512 __m512i finished(const Sums& sums) {
  __m512i sum = _mm512_add_epi32(sums.byte0, _mm512_slli_epi32(sums.byte1, 8));
  sum = _mm512_add_epi32(sum, _mm512_slli_epi32(sums.byte2, 16));
  return _mm512_srai_epi32(_mm512_add_epi32(sum, _mm512_set1_epi32(kHalf)), kWeightBits);
}

SNELLEN_AVX512 __m512i load_four(const RowGroup& rows, size_t at) {
  __m512i all =
      _mm512_castsi128_si512(_mm_loadu_si128(reinterpret_cast<const __m128i*>(rows.in[0] + at)));
  all = _mm512_inserti32x4(
      all, _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows.in[1] + at)), 1);
  all = _mm512_inserti32x4(
      all, _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows.in[2] + at)), 2);
  return _mm512_inserti32x4(
      all, _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows.in[3] + at)), 3);
}

}  // namespace

bool fits_avx512(const Weights& weights) {
  constexpr int32_t kLargest = 127 << 16;
  for (int i = 0; i < weights.num_outputs(); ++i) {
    for (int t = 0; t < weights.count(i); ++t) {
      if (std::abs(weights.taps(i)[t]) > kLargest) return false;
    }
  }
  return true;
}

// For every four taps: their bytes 0, their bytes 1, their bytes 2, and one word unused.
std::vector<int32_t> split_for_avx512(const Weights& weights) {
  std::vector<int32_t> split;
  split.reserve(weights.max_taps() * static_cast<size_t>(weights.num_outputs()));
  for (int i = 0; i < weights.num_outputs(); ++i) {
    for (size_t t = 0; t < weights.max_taps(); t += 4) {
      int8_t bytes[16] = {};
      for (size_t k = 0; k < 4; ++k) {
        int32_t rest = weights.taps(i)[t + k];
        for (size_t b = 0; b < 3; ++b) {
          bytes[4 * b + k] = static_cast<int8_t>(rest);
          rest = (rest - bytes[4 * b + k]) >> 8;
        }
      }
      int32_t words[4];
      std::memcpy(words, bytes, sizeof words);
      split.insert(split.end(), words, words + 4);
    }
  }
  return split;
}

SNELLEN_AVX512 void horizontal_avx512(const RowGroup& rows,
                                      const Weights& weights,
                                      const int32_t* split) {
  // Four pixels of 3 bytes -> the four reds, the four greens, the four blues.
  const __m512i by_channel =
      _mm512_broadcast_i32x4(_mm_setr_epi8(0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, -1, -1, -1, -1));
  const int last = weights.num_outputs() - 1;
  for (int i = 0; i <= last; ++i, split += weights.max_taps()) {
    Sums sums{_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    size_t at = size_t{3} * static_cast<size_t>(weights.start(i));
    const int num_taps = weights.count(i);
    const int32_t* taps = split;
    for (int t = 0; t < num_taps; t += 4, at += 12, taps += 4)
      add_taps(_mm512_shuffle_epi8(load_four(rows, at), by_channel), taps, sums);
    // Negative sums become 0 first: the narrowing below takes its input as unsigned.
    const __m512i values = _mm512_max_epi32(finished(sums), _mm512_setzero_si512());
    alignas(16) int32_t pixels[kRowsAtOnce];
    _mm_store_si128(reinterpret_cast<__m128i*>(pixels), _mm512_cvtusepi32_epi8(values));
    const size_t out = size_t{3} * static_cast<size_t>(i);
    for (size_t r = 0; r < kRowsAtOnce; ++r) {
      // The fourth byte is overwritten by the next pixel.
      if (i == last) {
        std::memcpy(rows.out[r] + out, &pixels[r], 3);
      } else {
        std::memcpy(rows.out[r] + out, &pixels[r], 4);
      }
    }
  }
}

SNELLEN_AVX512 size_t vertical_avx512(
    const BytesView& in, const Weights& weights, const int32_t* split, int output, uint8_t* out) {
  constexpr size_t kBlock = 64;
  if (in.row_bytes < kBlock) return 0;
  const int32_t* all_taps = split + weights.max_taps() * static_cast<size_t>(output);
  const int start = weights.start(output);
  const int num_taps = weights.count(output);
  const __m512i zero = _mm512_setzero_si512();
  for (size_t x = 0;; x = x + 2 * kBlock <= in.row_bytes ? x + kBlock : in.row_bytes - kBlock) {
    Sums sums[4] = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    for (int t = 0; t < num_taps; t += 4) {
      __m512i row[4];
      for (int k = 0; k < 4; ++k) {
        // Beyond the window the weight is zero and any row will do.
        const int tap = t + k < num_taps ? t + k : t;
        row[k] = _mm512_loadu_si512(in.row(start + tap) + x);
      }
      const __m512i left01 = _mm512_unpacklo_epi8(row[0], row[1]);
      const __m512i left23 = _mm512_unpacklo_epi8(row[2], row[3]);
      const __m512i right01 = _mm512_unpackhi_epi8(row[0], row[1]);
      const __m512i right23 = _mm512_unpackhi_epi8(row[2], row[3]);
      add_taps(_mm512_unpacklo_epi16(left01, left23), all_taps + t, sums[0]);
      add_taps(_mm512_unpackhi_epi16(left01, left23), all_taps + t, sums[1]);
      add_taps(_mm512_unpacklo_epi16(right01, right23), all_taps + t, sums[2]);
      add_taps(_mm512_unpackhi_epi16(right01, right23), all_taps + t, sums[3]);
    }
    // The packs undo the unpacks, lane by lane.
    const __m512i left = _mm512_packs_epi32(finished(sums[0]), finished(sums[1]));
    const __m512i right = _mm512_packs_epi32(finished(sums[2]), finished(sums[3]));
    _mm512_storeu_si512(out + x, _mm512_packus_epi16(left, right));
    if (x + kBlock == in.row_bytes) return in.row_bytes;
  }
}

}  // namespace snellen::media
