// SPDX-License-Identifier: Apache-2.0
// What libjpeg-turbo computes between coefficients and pixels (accurate integer transform, fancy
// upsampling, YCbCr to RGB), sample by sample and equal to its vector code to the bit. Compiled for
// the CPU, where the tests compare it with the library, and by nvcc, which knows C++17 only.
#pragma once

#include <cstdint>

#include "snellen/base/anywhere.h"
#include "snellen/media/codecs/jpeg_scan.h"

namespace snellen::media::jpeg {

// Dequantised coefficients beyond this are no encoder's; the library's own paths differ there.
constexpr int kLargestCoefficient = 8191;

// jidctint.c: constants with 13 bits of fraction, two more bits between the passes.
constexpr int kConstBits = 13;
constexpr int kPassBits = 2;
constexpr int32_t k0_298 = 2446, k0_390 = 3196, k0_541 = 4433, k0_765 = 6270, k0_899 = 7373,
                  k1_175 = 9633, k1_501 = 12299, k1_847 = 15137, k1_961 = 16069, k2_053 = 16819,
                  k2_562 = 20995, k3_072 = 25172;

SNELLEN_ANYWHERE int32_t clamped(int32_t value, int32_t low, int32_t high) {
  return value < low ? low : value > high ? high : value;
}

// Sums of two inputs stay in 16 bits and wrap, as in vector code; only damaged files get there.
SNELLEN_ANYWHERE int32_t wrapped(int32_t value) {
  return static_cast<int16_t>(static_cast<uint16_t>(value));
}

// A sum of products, which may wrap in 32 bits, rounded by `shift` bits and kept in 16.
SNELLEN_ANYWHERE int32_t rounded(uint32_t sum, int shift) {
  const int32_t value = static_cast<int32_t>(sum + (1U << (shift - 1))) >> shift;
  return clamped(value, -32768, 32767);
}

// Eight values, `stride` apart, transformed in place.
SNELLEN_ANYWHERE void transform(int32_t* values, int stride, int shift) {
  const auto at = [&](int i) -> int32_t& { return values[i * stride]; };
  const auto times = [](int32_t value, int32_t constant) {
    return static_cast<uint32_t>(value) * static_cast<uint32_t>(constant);
  };
  const uint32_t z1 = times(at(2) + at(6), k0_541);
  const uint32_t even2 = z1 - times(at(6), k1_847), even3 = z1 + times(at(2), k0_765);
  const uint32_t even0 = times(wrapped(at(0) + at(4)), 1 << kConstBits);
  const uint32_t even1 = times(wrapped(at(0) - at(4)), 1 << kConstBits);
  const uint32_t sums[4] = {even0 + even3, even1 + even2, even1 - even2, even0 - even3};

  const int32_t z3 = wrapped(at(7) + at(3)), z4 = wrapped(at(5) + at(1));
  const uint32_t z5 = times(z3 + z4, k1_175);
  const uint32_t y1 = times(at(7) + at(1), -k0_899), y2 = times(at(5) + at(3), -k2_562);
  const uint32_t y3 = z5 - times(z3, k1_961), y4 = z5 - times(z4, k0_390);
  const uint32_t odd[4] = {times(at(1), k1_501) + y1 + y4,
                           times(at(3), k3_072) + y2 + y3,
                           times(at(5), k2_053) + y2 + y4,
                           times(at(7), k0_298) + y1 + y3};
  for (int i = 0; i < 4; ++i) {
    at(i) = rounded(sums[i] + odd[i], shift);
    at(7 - i) = rounded(sums[i] - odd[i], shift);
  }
}
constexpr int kColumnShift = kConstBits - kPassBits;
constexpr int kRowShift = kConstBits + kPassBits + 3;

SNELLEN_ANYWHERE uint8_t sample_of(int32_t value) {
  return static_cast<uint8_t>(clamped(value, -128, 127) + 128);
}

// A plane of samples, of which width x height are the picture's.
struct Samples {
  const uint8_t* first;
  int stride;
  int width;
  int height;

  SNELLEN_ANYWHERE int at(int x, int y) const { return first[y * stride + x]; }
};

// The sample of a half-wide plane at column x of the picture.
SNELLEN_ANYWHERE int wide_sample(const Samples& plane, int x, int y) {
  const int near = x / 2, value = plane.at(near, y);
  const int other = (x & 1) != 0 ? near + 1 : near - 1;
  if (other < 0 || other >= plane.width) return value;
  return (3 * value + plane.at(other, y) + ((x & 1) != 0 ? 2 : 1)) >> 2;
}

// The same for a plane that is half as high too.
SNELLEN_ANYWHERE int wide_and_high_sample(const Samples& plane, int x, int y) {
  const int near_row = y / 2;
  const int far_row = clamped((y & 1) != 0 ? near_row + 1 : near_row - 1, 0, plane.height - 1);
  const auto column = [&](int i) { return 3 * plane.at(i, near_row) + plane.at(i, far_row); };
  const int near = x / 2, value = column(near);
  const int other = (x & 1) != 0 ? near + 1 : near - 1;
  const int beside = other < 0 || other >= plane.width ? value : column(other);
  return (3 * value + beside + ((x & 1) != 0 ? 7 : 8)) >> 4;
}

struct Rgb {
  uint8_t red, green, blue;
};

SNELLEN_ANYWHERE Rgb rgb_of(int y, int cb, int cr) {
  constexpr int kBits = 16;
  constexpr int32_t half = 1 << (kBits - 1);
  const int32_t b = cb - 128, r = cr - 128;
  const auto byte = [](int32_t value) { return static_cast<uint8_t>(clamped(value, 0, 255)); };
  return {byte(y + ((91881 * r + half) >> kBits)),
          byte(y + ((-22554 * b - 46802 * r + half) >> kBits)),
          byte(y + ((116130 * b + half) >> kBits))};
}

// Y, Cb and Cr of one place.
SNELLEN_ANYWHERE Rgb pixel_of(Chroma chroma, const Samples* planes, int x, int y) {
  const auto sample = [&](const Samples& plane) {
    return chroma == Chroma::kFull       ? plane.at(x, y)
           : chroma == Chroma::kHalfWide ? wide_sample(plane, x, y)
                                         : wide_and_high_sample(plane, x, y);
  };
  return rgb_of(planes[0].at(x, y), sample(planes[1]), sample(planes[2]));
}

}  // namespace snellen::media::jpeg
