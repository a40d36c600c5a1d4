// SPDX-License-Identifier: Apache-2.0
// The coefficients of a scan, on the CPU and on devices. Only what every decoder agrees on is
// taken: anything odd is left to the library.
#pragma once

#include "snellen/media/codecs/jpeg_math.h"
#include "snellen/media/codecs/jpeg_scan.h"

namespace snellen::media::jpeg {

// Coded bits of a scan. A marker or the end of the file gives zeros, and may not be reached before
// the last unit.
class BitReader {
 public:
  SNELLEN_ANYWHERE BitReader(const uint8_t* next, const uint8_t* end) : next_(next), end_(end) {}

  // The next `count` bits, at most 16, which stay.
  SNELLEN_ANYWHERE uint32_t peek(int count) {
    if (count_ < count) fill();
    return static_cast<uint32_t>(bits_ >> (64 - count));
  }
  SNELLEN_ANYWHERE void skip(int count) {
    bits_ <<= count;
    count_ -= count;
  }
  // `count` may be 0.
  SNELLEN_ANYWHERE int32_t take(int count) {
    if (count == 0) return 0;
    const uint32_t bits = peek(count);
    skip(count);
    return static_cast<int32_t>(bits);
  }
  SNELLEN_ANYWHERE bool has_overrun() const { return count_ < num_made_up_; }

  // To the restart marker of this number, which must come next.
  SNELLEN_ANYWHERE bool restart(int number) {
    // Bits of the last byte are ones or zeros that nobody reads; whole bytes would be data.
    if (!is_at_marker_) fill();
    if (!is_at_marker_ || count_ - num_made_up_ >= 8 || has_overrun()) return false;
    while (end_ - next_ >= 2 && next_[1] == 0xFF) ++next_;
    if (end_ - next_ < 2 || next_[1] != 0xD0 + number) return false;
    next_ += 2;
    bits_ = 0;
    count_ = num_made_up_ = 0;
    is_at_marker_ = false;
    return true;
  }

 private:
  SNELLEN_ANYWHERE void fill() {
    while (count_ <= 56) {
      uint64_t byte = 0;
      if (!is_at_marker_ && next_ < end_ &&
          !(*next_ == 0xFF && (end_ - next_ < 2 || next_[1] != 0))) {
        byte = *next_;
        next_ += byte == 0xFF ? 2 : 1;
      } else {
        is_at_marker_ = true;
        num_made_up_ += 8;
      }
      bits_ |= byte << (56 - count_);
      count_ += 8;
    }
  }

  const uint8_t* next_;
  const uint8_t* end_;
  uint64_t bits_ = 0;  // the next one on top
  int count_ = 0;
  int num_made_up_ = 0;  // of the bits at the end
  bool is_at_marker_ = false;
};

// -1 for bits that are no code.
SNELLEN_ANYWHERE int symbol_of(BitReader& bits, const HuffmanCode& code) {
  const int ahead = static_cast<int>(bits.peek(HuffmanCode::kLongest));
  const int quick = code.quick[ahead >> (HuffmanCode::kLongest - HuffmanCode::kQuickBits)];
  if (quick != 0) {
    bits.skip(quick >> 8);
    return quick & 0xFF;
  }
  for (int length = HuffmanCode::kQuickBits + 1; length <= HuffmanCode::kLongest; ++length) {
    if (ahead >= code.ends[length]) continue;
    bits.skip(length);
    return code.symbols[(ahead >> (HuffmanCode::kLongest - length)) + code.offsets[length]];
  }
  return -1;
}

// A number of `size` bits whose first bit says that it is positive.
SNELLEN_ANYWHERE int32_t signed_number(BitReader& bits, int size) {
  const int32_t value = bits.take(size);
  return size == 0 || value >= 1 << (size - 1) ? value : value - (1 << size) + 1;
}

SNELLEN_ANYWHERE bool is_sound(int32_t value, uint16_t step) {
  const int32_t whole = value * step;
  return whole <= kLargestCoefficient && whole >= -kLargestCoefficient;
}

// Into 64 zeros.
SNELLEN_ANYWHERE bool read_block(BitReader& bits,
                                 const HuffmanCode& dc,
                                 const HuffmanCode& ac,
                                 const uint16_t* quantisation,
                                 const uint8_t* zigzag,
                                 int32_t& last_dc,
                                 int16_t* block) {
  const int size = symbol_of(bits, dc);
  if (size < 0 || size > 11) return false;
  last_dc += signed_number(bits, size);
  if (!is_sound(last_dc, quantisation[0])) return false;
  block[0] = static_cast<int16_t>(last_dc);
  for (int k = 1; k < 64; ++k) {
    const int symbol = symbol_of(bits, ac);
    if (symbol < 0) return false;
    const int run = symbol >> 4, length = symbol & 15;
    if (length == 0) {
      if (run != 15) break;
      k += 15;
      continue;
    }
    k += run;
    if (k > 63 || length > 10) return false;
    const int32_t value = signed_number(bits, length);
    const int place = zigzag[k];
    if (!is_sound(value, quantisation[place])) return false;
    block[place] = static_cast<int16_t>(value);
  }
  return true;
}

// The coefficients of the three planes, block after block from the top left of each, into zeros.
// False for what the library should judge.
SNELLEN_ANYWHERE bool read_scan(const Scan& scan,
                                const uint8_t* file,
                                int64_t size,
                                int16_t* const coefficients[3]) {
  BitReader bits(file + scan.begin, file + size);
  int32_t last_dc[3] = {0, 0, 0};
  int until_restart = scan.restart_interval, next_restart = 0;
  for (int unit_y = 0; unit_y < scan.units_down; ++unit_y) {
    for (int unit_x = 0; unit_x < scan.units_across; ++unit_x) {
      if (scan.restart_interval > 0 && until_restart == 0) {
        if (!bits.restart(next_restart)) return false;
        next_restart = (next_restart + 1) & 7;
        until_restart = scan.restart_interval;
        last_dc[0] = last_dc[1] = last_dc[2] = 0;
      }
      --until_restart;
      for (int p = 0; p < 3; ++p) {
        const Plane& plane = scan.planes[p];
        for (int i = 0; i < plane.unit_across * plane.unit_down; ++i) {
          const int x = unit_x * plane.unit_across + i % plane.unit_across;
          const int y = unit_y * plane.unit_down + i / plane.unit_across;
          int16_t* block = coefficients[p] + int64_t{64} * (int64_t{y} * plane.blocks_across + x);
          if (!read_block(bits,
                          scan.codes[plane.dc_code],
                          scan.codes[plane.ac_code],
                          plane.quantisation,
                          scan.zigzag,
                          last_dc[p],
                          block))
            return false;
        }
      }
      if (bits.has_overrun()) return false;
    }
  }
  return true;
}

}  // namespace snellen::media::jpeg
