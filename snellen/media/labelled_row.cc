// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/labelled_row.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "snellen/base/error.h"

namespace snellen::media {
namespace {

constexpr int kGap = 8;
constexpr int kRows = 7;
constexpr int kColumns = 5;
constexpr uint8_t kPaper = 255;
constexpr uint8_t kInk = 0;

// A character as rows of five pixels, the left one in the highest bit.
struct Glyph {
  char character;
  std::array<uint8_t, kRows> rows;
};

constexpr std::array kGlyphs = {
    Glyph{'-', {0b00000, 0b00000, 0b00000, 0b11111, 0b00000, 0b00000, 0b00000}},
    Glyph{'.', {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00100, 0b00100}},
    Glyph{'0', {0b01110, 0b10001, 0b10011, 0b10101, 0b11001, 0b10001, 0b01110}},
    Glyph{'1', {0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    Glyph{'2', {0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111}},
    Glyph{'3', {0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110}},
    Glyph{'4', {0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010}},
    Glyph{'5', {0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110}},
    Glyph{'6', {0b01110, 0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110}},
    Glyph{'7', {0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000}},
    Glyph{'8', {0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110}},
    Glyph{'9', {0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00001, 0b01110}},
    Glyph{':', {0b00000, 0b00100, 0b00100, 0b00000, 0b00100, 0b00100, 0b00000}},
    Glyph{'_', {0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b00000, 0b11111}},
    Glyph{'a', {0b00000, 0b00000, 0b01110, 0b00001, 0b01111, 0b10001, 0b01111}},
    Glyph{'b', {0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b11110}},
    Glyph{'c', {0b00000, 0b00000, 0b01111, 0b10000, 0b10000, 0b10000, 0b01111}},
    Glyph{'d', {0b00001, 0b00001, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111}},
    Glyph{'e', {0b00000, 0b00000, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110}},
    Glyph{'f', {0b00110, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b01000}},
    Glyph{'g', {0b00000, 0b00000, 0b01111, 0b10001, 0b01111, 0b00001, 0b01110}},
    Glyph{'h', {0b10000, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001}},
    Glyph{'i', {0b00100, 0b00000, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110}},
    Glyph{'j', {0b00010, 0b00000, 0b00110, 0b00010, 0b00010, 0b10010, 0b01100}},
    Glyph{'k', {0b10000, 0b10000, 0b10010, 0b10100, 0b11000, 0b10100, 0b10010}},
    Glyph{'l', {0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110}},
    Glyph{'m', {0b00000, 0b00000, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101}},
    Glyph{'n', {0b00000, 0b00000, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001}},
    Glyph{'o', {0b00000, 0b00000, 0b01110, 0b10001, 0b10001, 0b10001, 0b01110}},
    Glyph{'p', {0b00000, 0b00000, 0b11110, 0b10001, 0b11110, 0b10000, 0b10000}},
    Glyph{'q', {0b00000, 0b00000, 0b01111, 0b10001, 0b01111, 0b00001, 0b00001}},
    Glyph{'r', {0b00000, 0b00000, 0b10110, 0b11000, 0b10000, 0b10000, 0b10000}},
    Glyph{'s', {0b00000, 0b00000, 0b01111, 0b10000, 0b01110, 0b00001, 0b11110}},
    Glyph{'t', {0b01000, 0b01000, 0b11110, 0b01000, 0b01000, 0b01000, 0b00110}},
    Glyph{'u', {0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b10001, 0b01111}},
    Glyph{'v', {0b00000, 0b00000, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100}},
    Glyph{'w', {0b00000, 0b00000, 0b10101, 0b10101, 0b10101, 0b10101, 0b01010}},
    Glyph{'x', {0b00000, 0b00000, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001}},
    Glyph{'y', {0b00000, 0b00000, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110}},
    Glyph{'z', {0b00000, 0b00000, 0b11111, 0b00010, 0b00100, 0b01000, 0b11111}},
};

// Twice as large where there is room for it.
int scale_for(int width) {
  constexpr int kWidthForLarge = 96;
  return width >= kWidthForLarge ? 2 : 1;
}

void fill(Image& image, int left, int top, int side) {
  for (int y = top; y < top + side; ++y) {
    auto row = image.row(y);
    std::fill_n(row.begin() + 3 * left, 3 * side, kInk);
  }
}

void draw(Image& image, int left, int top, const LabelledPicture& one, int scale) {
  const int advance = (kColumns + 1) * scale;
  const int right = left + one.picture->width;
  for (char character : one.label) {
    if (left + kColumns * scale > right) return;
    const auto* glyph = std::find_if(kGlyphs.begin(), kGlyphs.end(), [&](const Glyph& known) {
      return known.character == character;
    });
    for (int y = 0; glyph != kGlyphs.end() && y < kRows; ++y) {
      for (int x = 0; x < kColumns; ++x) {
        const bool is_ink = (glyph->rows[static_cast<size_t>(y)] >> (kColumns - 1 - x) & 1) != 0;
        if (is_ink) fill(image, left + x * scale, top + y * scale, scale);
      }
    }
    left += advance;
  }
}

}  // namespace

Image labelled_row(std::span<const LabelledPicture> pictures) {
  SNELLEN_CHECK(!pictures.empty());
  int width = kGap, height = 0, narrowest = pictures.front().picture->width;
  for (const LabelledPicture& one : pictures) {
    width += one.picture->width + kGap;
    height = std::max(height, one.picture->height);
    narrowest = std::min(narrowest, one.picture->width);
  }
  const int scale = scale_for(narrowest);
  Image row = Image::blank(width, height + kRows * scale + 3 * kGap);
  std::fill(row.pixels.begin(), row.pixels.end(), kPaper);
  int left = kGap;
  for (const LabelledPicture& one : pictures) {
    for (int y = 0; y < one.picture->height; ++y) {
      const auto from = one.picture->row(y);
      std::copy(from.begin(), from.end(), row.row(kGap + y).begin() + 3 * left);
    }
    draw(row, left, height + 2 * kGap, one, scale);
    left += one.picture->width + kGap;
  }
  return row;
}

}  // namespace snellen::media
