// SPDX-License-Identifier: Apache-2.0
// Uncompressed BMP of 1, 4, 8, 24 and 32 bits. The format is a header and plain rows, so it is read
// here; run-length and bit-field forms are named and refused.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "snellen/media/codecs/formats.h"

namespace snellen::media {
namespace {

struct BmpHeader {
  uint64_t pixels_at = 0;
  uint64_t palette_at = 0;
  uint32_t palette_entry_bytes = 4;
  int64_t width = 0;
  int64_t height = 0;
  bool is_top_down = false;
  uint32_t bits = 0;
  uint32_t compression = 0;
  uint64_t num_colours = 0;
};

// Little-endian numbers of the header; the caller has checked its length.
uint32_t number(std::string_view bytes, size_t offset, size_t num_bytes) {
  uint32_t value = 0;
  for (size_t i = num_bytes; i-- > 0;)
    value = (value << 8) | static_cast<uint8_t>(bytes[offset + i]);
  return value;
}

Result<BmpHeader> header_of(const EncodedView& source) {
  constexpr size_t kFileHeader = 14;
  constexpr uint32_t kCoreHeader = 12;  // OS/2 1.x
  constexpr uint32_t kInfoHeader = 40;
  std::string_view bytes = source.bytes;
  if (bytes.size() < kFileHeader + 4) return ends_early(source, ImageFormat::kBmp);
  BmpHeader header;
  header.pixels_at = number(bytes, 10, 4);
  const uint32_t info_bytes = number(bytes, 14, 4);
  if (info_bytes != kCoreHeader && info_bytes < kInfoHeader)
    return damaged(source, ImageFormat::kBmp, fmt::format("header of {} bytes", info_bytes));
  if (bytes.size() - kFileHeader < info_bytes) return ends_early(source, ImageFormat::kBmp);
  header.palette_at = kFileHeader + info_bytes;
  if (info_bytes == kCoreHeader) {
    header.width = number(bytes, 18, 2);
    header.height = number(bytes, 20, 2);
    header.bits = number(bytes, 24, 2);
    header.palette_entry_bytes = 3;
  } else {
    header.width = static_cast<int32_t>(number(bytes, 18, 4));
    header.height = static_cast<int32_t>(number(bytes, 22, 4));
    header.is_top_down = header.height < 0;
    header.height = std::abs(header.height);
    header.bits = number(bytes, 28, 2);
    header.compression = number(bytes, 30, 4);
    header.num_colours = number(bytes, 46, 4);
  }
  if (auto error = refuse_size(source, ImageFormat::kBmp, header.width, header.height))
    return *error;
  return header;
}

std::optional<Error> refuse_form(const EncodedView& source, const BmpHeader& header) {
  const uint32_t known[] = {1, 4, 8, 24, 32};
  if (header.compression == 0 &&
      std::find(std::begin(known), std::end(known), header.bits) != std::end(known))
    return std::nullopt;
  return damaged(
      source,
      ImageFormat::kBmp,
      fmt::format("{} bits with compression {} is not supported; uncompressed pictures of "
                  "1, 4, 8, 24 and 32 bits are",
                  header.bits,
                  header.compression));
}

Palette palette_of(const EncodedView& source, const BmpHeader& header) {
  Palette palette{};
  uint64_t count = header.num_colours ? header.num_colours : uint64_t{1} << header.bits;
  count = std::min<uint64_t>(count, palette.size());
  for (size_t i = 0; i < count; ++i) {
    size_t at = header.palette_at + i * header.palette_entry_bytes;
    if (at + 3 > source.bytes.size()) break;
    const auto* bgr = reinterpret_cast<const uint8_t*>(source.bytes.data() + at);
    palette[i] = {bgr[2], bgr[1], bgr[0]};
  }
  return palette;
}

void read_row(const uint8_t* row, const BmpHeader& header, const Palette& palette, uint8_t* out) {
  const size_t width = static_cast<size_t>(header.width);
  if (header.bits >= 24) {
    const size_t step = header.bits / 8;
    for (size_t x = 0; x < width; ++x, out += 3, row += step) {
      out[0] = row[2];
      out[1] = row[1];
      out[2] = row[0];
    }
    return;
  }
  const size_t per_byte = 8 / header.bits;
  const uint32_t mask = (1u << header.bits) - 1;
  for (size_t x = 0; x < width; ++x, out += 3) {
    size_t shift = header.bits * (per_byte - 1 - x % per_byte);
    const auto& colour = palette[(uint32_t{row[x / per_byte]} >> shift) & mask];
    std::copy(colour.begin(), colour.end(), out);
  }
}

}  // namespace

Result<ImageSize> bmp_size(const EncodedView& source) {
  Result<BmpHeader> header = header_of(source);
  if (!header) return header.error();
  return ImageSize{static_cast<int>(header->width), static_cast<int>(header->height)};
}

Result<Decoded> decode_bmp(const EncodedView& source) {
  Result<BmpHeader> read = header_of(source);
  if (!read) return read.error();
  const BmpHeader& header = *read;
  if (auto error = refuse_form(source, header)) return *error;
  // Rows are padded to four bytes.
  const uint64_t row_bytes = (static_cast<uint64_t>(header.width) * header.bits + 31) / 32 * 4;
  const uint64_t needed = row_bytes * static_cast<uint64_t>(header.height);
  if (header.pixels_at > source.bytes.size() || source.bytes.size() - header.pixels_at < needed)
    return ends_early(source, ImageFormat::kBmp);
  const Palette palette = header.bits <= 8 ? palette_of(source, header) : Palette{};
  Decoded decoded{Image::blank(static_cast<int>(header.width), static_cast<int>(header.height)), 1};
  const auto* pixels = reinterpret_cast<const uint8_t*>(source.bytes.data()) + header.pixels_at;
  for (int y = 0; y < decoded.image.height; ++y) {
    int stored = header.is_top_down ? y : decoded.image.height - 1 - y;
    read_row(pixels + row_bytes * static_cast<uint64_t>(stored),
             header,
             palette,
             decoded.image.row(y).data());
  }
  return decoded;
}

}  // namespace snellen::media
