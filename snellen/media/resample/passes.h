// SPDX-License-Identifier: Apache-2.0
// The two passes of resize.h. Each is written once plainly and once per instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "snellen/media/image.h"
#include "snellen/media/resample/rounding.h"
#include "snellen/media/resample/simd.h"
#include "snellen/media/resample/weights.h"

namespace snellen::media {

// Rows of RGB bytes inside a larger buffer.
struct BytesView {
  const uint8_t* first = nullptr;
  size_t stride = 0;
  size_t row_bytes = 0;
  int num_rows = 0;
  const uint8_t* buffer_end = nullptr;  // reading up to here is allowed

  const uint8_t* row(int y) const { return first + stride * static_cast<size_t>(y); }
};

// out is weights.num_outputs() wide and as high as the input.
void horizontal_pass(const BytesView& in, const Weights& weights, Image& out, SimdLevel level);
// out is weights.num_outputs() high and as wide as the input.
void vertical_pass(const BytesView& in, const Weights& weights, Image& out, SimdLevel level);

// How far beyond the last sample of a window a horizontal loop may read.
constexpr size_t kReadAhead = 32;
constexpr int kRowsAtOnce = 4;

// Rows of four inputs and outputs, which the SIMD loops take together.
struct RowGroup {
  const uint8_t* in[kRowsAtOnce];
  uint8_t* out[kRowsAtOnce];
};

// Weights split for multiplication in 16 or 8 bits; see the sources.
std::vector<int32_t> split_for_avx2(const Weights& weights);
std::vector<int32_t> split_for_avx512(const Weights& weights);
// False when a weight is too large for three signed bytes (it never is with Pillow's filters).
bool fits_avx512(const Weights& weights);

void horizontal_avx2(const RowGroup& rows, const Weights& weights, const int32_t* split);
void horizontal_avx512(const RowGroup& rows, const Weights& weights, const int32_t* split);
void vertical_plain(
    const BytesView& in, const Weights& weights, int output, size_t from, uint8_t* out);
// These fill the multiples of their block and return how many bytes they did; the last block
// overlaps the one before, so rows of at least one block are done whole.
size_t vertical_avx2(
    const BytesView& in, const Weights& weights, const int32_t* split, int output, uint8_t* out);
size_t vertical_avx512(
    const BytesView& in, const Weights& weights, const int32_t* split, int output, uint8_t* out);

}  // namespace snellen::media
