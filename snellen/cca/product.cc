// SPDX-License-Identifier: Apache-2.0
#include "snellen/cca/product.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace snellen::cca {
namespace {

#define SNELLEN_INLINE inline __attribute__((always_inline))

constexpr int64_t kDepthAtOnce = 384;
constexpr int64_t kColumnsAtOnce = 512;

// Strips of `kStrip` rows, depth by depth; rows beyond the last are zeros.
template <typename T, int64_t kStrip>
SNELLEN_INLINE void pack(
    const Operand<T>& from, int64_t first, int64_t end, int64_t depth_at, int64_t depth, T* to) {
  for (int64_t strip = first; strip < end; strip += kStrip) {
    for (int64_t row = 0; row < kStrip; ++row) {
      T* place = to + row;
      const bool is_inside = strip + row < end;
      const T* source =
          is_inside ? from.data + (strip + row) * from.row_stride + depth_at * from.depth_stride
                    : nullptr;
      for (int64_t d = 0; d < depth; ++d)
        place[d * kStrip] = is_inside ? source[d * from.depth_stride] : T{0};
    }
    to += kStrip * depth;
  }
}

// One tile of kRows x (kVectors vectors), kept in registers over the whole depth.
template <typename T, int kBytes, int kRows, int kVectors>
SNELLEN_INLINE void multiply_tile(const T* a, const T* b, int64_t depth, T* tile) {
  typedef T Vector __attribute__((vector_size(kBytes)));  // NOLINT(modernize-use-using): GCC's form
  constexpr int64_t kLanes = kBytes / static_cast<int64_t>(sizeof(T));
  Vector sums[kRows][kVectors] = {};
  for (int64_t d = 0; d < depth; ++d) {
    Vector columns[kVectors];
    std::memcpy(columns, b + d * kLanes * kVectors, sizeof(columns));
    for (int row = 0; row < kRows; ++row) {
      const T one = a[d * kRows + row];
      for (int v = 0; v < kVectors; ++v) sums[row][v] += one * columns[v];
    }
  }
  std::memcpy(tile, sums, sizeof(sums));
}

template <typename T, int kBytes, int kRows, int kVectors>
SNELLEN_INLINE void multiply_blocks(const Operand<T>& a,
                                    const Operand<T>& b,
                                    int64_t depth,
                                    T* out,
                                    int64_t out_stride,
                                    Into into) {
  constexpr int64_t kColumns = kVectors * kBytes / static_cast<int64_t>(sizeof(T));
  auto strips = [](int64_t count, int64_t width) { return (count + width - 1) / width * width; };
  std::vector<T> packed_a(
      static_cast<size_t>(strips(a.rows, kRows) * std::min(depth, kDepthAtOnce)));
  std::vector<T> packed_b(static_cast<size_t>(strips(std::min(b.rows, kColumnsAtOnce), kColumns) *
                                              std::min(depth, kDepthAtOnce)));
  alignas(64) T tile[kRows * kColumns];
  for (int64_t depth_at = 0; depth_at < depth; depth_at += kDepthAtOnce) {
    const int64_t part = std::min(kDepthAtOnce, depth - depth_at);
    const bool adds = into == Into::kAdd || depth_at > 0;
    pack<T, kRows>(a, 0, a.rows, depth_at, part, packed_a.data());
    for (int64_t block = 0; block < b.rows; block += kColumnsAtOnce) {
      const int64_t block_end = std::min(b.rows, block + kColumnsAtOnce);
      pack<T, kColumns>(b, block, block_end, depth_at, part, packed_b.data());
      for (int64_t row = 0; row < a.rows; row += kRows) {
        const int64_t num_rows = std::min<int64_t>(kRows, a.rows - row);
        for (int64_t column = block; column < block_end; column += kColumns) {
          const int64_t num_columns = std::min(kColumns, block_end - column);
          multiply_tile<T, kBytes, kRows, kVectors>(
              packed_a.data() + row * part, packed_b.data() + (column - block) * part, part, tile);
          for (int64_t i = 0; i < num_rows; ++i) {
            T* to = out + (row + i) * out_stride + column;
            const T* from = tile + i * kColumns;
            if (adds) {
              for (int64_t j = 0; j < num_columns; ++j) to[j] += from[j];
            } else {
              std::memcpy(to, from, static_cast<size_t>(num_columns) * sizeof(T));
            }
          }
        }
      }
    }
  }
}

template <typename T>
void multiply_plain(
    const Operand<T>& a, const Operand<T>& b, int64_t depth, T* out, int64_t stride, Into into) {
  multiply_blocks<T, 16, 4, 2>(a, b, depth, out, stride, into);
}

#if defined(__x86_64__)
template <typename T>
__attribute__((target("avx2,fma"))) void multiply_avx2(
    const Operand<T>& a, const Operand<T>& b, int64_t depth, T* out, int64_t stride, Into into) {
  multiply_blocks<T, 32, 6, 2>(a, b, depth, out, stride, into);
}

template <typename T>
__attribute__((target("avx512f,avx512vl,avx2,fma"))) void multiply_avx512(
    const Operand<T>& a, const Operand<T>& b, int64_t depth, T* out, int64_t stride, Into into) {
  multiply_blocks<T, 64, 12, 2>(a, b, depth, out, stride, into);
}
#endif

template <typename T>
void dispatch(
    const Operand<T>& a, const Operand<T>& b, int64_t depth, T* out, int64_t stride, Into into) {
#if defined(__x86_64__)
  static const bool has_avx512 =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0;
  static const bool has_avx2 =
      __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (has_avx512) return multiply_avx512(a, b, depth, out, stride, into);
  if (has_avx2) return multiply_avx2(a, b, depth, out, stride, into);
#endif
  multiply_plain(a, b, depth, out, stride, into);
}

}  // namespace

void multiply(const Operand<float>& a,
              const Operand<float>& b,
              int64_t depth,
              float* out,
              int64_t out_stride,
              Into into) {
  dispatch(a, b, depth, out, out_stride, into);
}

void multiply(const Operand<double>& a,
              const Operand<double>& b,
              int64_t depth,
              double* out,
              int64_t out_stride,
              Into into) {
  dispatch(a, b, depth, out, out_stride, into);
}

}  // namespace snellen::cca
