// SPDX-License-Identifier: Apache-2.0
// Common JPEG files, read as far as their header: a device goes on from there with jpeg_entropy.h
// and jpeg_math.h and comes to the bytes that decode.h gives. What is plain data here is compiled
// by nvcc too, which knows C++17 only.
#pragma once

#include <cstdint>

namespace snellen::media::jpeg {

// A prefix code: by the next kQuickBits bits, length << 8 | symbol; 0 where the code is longer.
// Longer ones by length: codes of a length are below its `ends`, the symbol lies at code + offset.
struct HuffmanCode {
  static constexpr int kQuickBits = 9;
  static constexpr int kLongest = 16;
  uint16_t quick[1 << kQuickBits];
  int32_t ends[kLongest + 1];  // left-aligned in 16 bits, rising
  int32_t offsets[kLongest + 1];
  uint8_t symbols[256];
};

enum class Chroma : int32_t { kFull, kHalfWide, kHalfWideAndHigh };

struct Plane {
  int32_t width;  // samples that are the picture's
  int32_t height;
  int32_t blocks_across;  // of 8 x 8, up to the end of the last unit
  int32_t blocks_down;
  int32_t unit_across;  // blocks in a unit (MCU)
  int32_t unit_down;
  int32_t dc_code;  // of `codes`
  int32_t ac_code;
  uint16_t quantisation[64];  // row by row
};

struct Scan {
  int32_t width;
  int32_t height;
  Chroma chroma;
  int32_t units_across;
  int32_t units_down;
  int32_t restart_interval;  // units; 0 for none
  int32_t begin;             // the first coded byte of the file
  Plane planes[3];           // Y, Cb, Cr
  uint8_t zigzag[64];        // the place in a block, row by row, of each coefficient of the file
  HuffmanCode codes[4];
};

}  // namespace snellen::media::jpeg
