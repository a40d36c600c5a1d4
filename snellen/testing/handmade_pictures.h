// SPDX-License-Identifier: Apache-2.0
// Small encoded pictures for tests, made here so that no file is needed.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/media/image.h"

namespace snellen::media {

inline Image colourful(int width, int height) {
  Image image = Image::blank(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      uint8_t* pixel = image.row(y).data() + size_t{3} * static_cast<size_t>(x);
      pixel[0] = static_cast<uint8_t>(x * 7 + y);
      pixel[1] = static_cast<uint8_t>(x * y + 13);
      pixel[2] = static_cast<uint8_t>(x ^ (y * 5));
    }
  }
  return image;
}

inline std::string big_endian(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

inline std::string png_chunk(const std::string& kind, const std::string& data) {
  const std::string body = kind + data;
  uLong crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big_endian(static_cast<uint32_t>(data.size())) + body +
         big_endian(static_cast<uint32_t>(crc));
}

// A PNG of the given header with `raw` (filter bytes included) as its pixels; `before` goes between
// header and pixels.
inline std::string handmade_png(uint32_t width,
                                uint32_t height,
                                int depth,
                                int colour_type,
                                const std::string& raw,
                                const std::string& before = {}) {
  uLongf size = compressBound(raw.size());
  std::string squeezed(size, '\0');
  compress(reinterpret_cast<Bytef*>(squeezed.data()),
           &size,
           reinterpret_cast<const Bytef*>(raw.data()),
           raw.size());
  squeezed.resize(size);
  std::string header = big_endian(width) + big_endian(height);
  header += {static_cast<char>(depth), static_cast<char>(colour_type), 0, 0, 0};
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + before + png_chunk("IDAT", squeezed) +
         png_chunk("IEND", "");
}

// 3x1 pixels: red, green, index 2 (blue); 2 bits an index.
inline std::string handmade_gif() {
  std::string gif = "GIF89a";
  gif += {3, 0, 1, 0, static_cast<char>(0x81), 0, 0};  // 3x1, four global colours
  gif += {static_cast<char>(255), 0, 0, 0, static_cast<char>(255), 0};
  gif += {0, 0, static_cast<char>(255), 9, 9, 9};
  gif += {0x2c, 0, 0, 0, 0, 3, 0, 1, 0, 0};
  // LZW with 2-bit symbols, 3-bit codes: clear(4) 0 1 2 end(5), the last in 4 bits or less.
  gif += {2,
          2,
          static_cast<char>(4 | (0 << 3) | (1 << 6)),
          static_cast<char>((2 << 1) | (5 << 4)),
          0,
          0x3b};
  return gif;
}

// A bottom-up BMP of 24 bits.
inline std::string handmade_bmp(int width, int height, const std::string& rows) {
  auto little = [](uint32_t value, int num_bytes) {
    std::string bytes;
    for (int i = 0; i < num_bytes; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
    return bytes;
  };
  return "BM" + little(static_cast<uint32_t>(54 + rows.size()), 4) + little(0, 4) + little(54, 4) +
         little(40, 4) + little(static_cast<uint32_t>(width), 4) +
         little(static_cast<uint32_t>(height), 4) + little(1, 2) + little(24, 2) +
         std::string(24, '\0') + rows;
}

}  // namespace snellen::media
