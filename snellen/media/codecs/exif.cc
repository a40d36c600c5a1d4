// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/codecs/exif.h"

#include <cstring>
#include <optional>

namespace snellen::media {
namespace {

// A TIFF header in either byte order. Every read is checked against the end of the block.
class TiffView {
 public:
  explicit TiffView(std::string_view bytes)
      : bytes_(bytes), is_big_endian_(bytes.starts_with("MM")) {}

  std::optional<uint32_t> number(size_t offset, size_t num_bytes) const {
    if (offset > bytes_.size() || bytes_.size() - offset < num_bytes) return std::nullopt;
    uint32_t value = 0;
    for (size_t i = 0; i < num_bytes; ++i) {
      size_t at = is_big_endian_ ? offset + i : offset + num_bytes - 1 - i;
      value = (value << 8) | static_cast<uint8_t>(bytes_[at]);
    }
    return value;
  }

 private:
  std::string_view bytes_;
  bool is_big_endian_;
};

}  // namespace

int exif_orientation(std::string_view block) {
  constexpr uint32_t kOrientation = 0x0112;
  constexpr uint32_t kShort = 3;
  if (block.starts_with(std::string_view("Exif\0\0", 6))) block.remove_prefix(6);
  if (!block.starts_with("MM") && !block.starts_with("II")) return 1;
  TiffView tiff(block);
  if (tiff.number(2, 2) != 42u) return 1;
  std::optional<uint32_t> directory = tiff.number(4, 4);
  if (!directory) return 1;
  std::optional<uint32_t> num_entries = tiff.number(*directory, 2);
  for (uint32_t i = 0; num_entries && i < *num_entries; ++i) {
    size_t entry = size_t{*directory} + 2 + size_t{12} * i;
    std::optional<uint32_t> tag = tiff.number(entry, 2);
    if (!tag) return 1;
    if (*tag != kOrientation || tiff.number(entry + 2, 2) != kShort) continue;
    uint32_t value = tiff.number(entry + 8, 2).value_or(1);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Image oriented(Image image, int orientation) {
  if (orientation <= 1 || orientation > 8) return image;
  const bool swaps_sides = orientation >= 5;
  Image turned = swaps_sides ? Image::blank(image.height, image.width)
                             : Image::blank(image.width, image.height);
  // Where the pixel at (x, y) of the result comes from.
  const bool from_right =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_bottom =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  for (int y = 0; y < turned.height; ++y) {
    uint8_t* out = turned.row(y).data();
    for (int x = 0; x < turned.width; ++x, out += 3) {
      int source_x = swaps_sides ? y : x;
      int source_y = swaps_sides ? x : y;
      if (from_right) source_x = image.width - 1 - source_x;
      if (from_bottom) source_y = image.height - 1 - source_y;
      std::memcpy(out, image.row(source_y).data() + size_t{3} * static_cast<size_t>(source_x), 3);
    }
  }
  return turned;
}

}  // namespace snellen::media
