// SPDX-License-Identifier: Apache-2.0
// What the decoders of one format share; callers outside the folder use decode.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/media/codecs/decode.h"
#include "snellen/media/image.h"

namespace snellen::media {

struct EncodedView {
  std::string_view bytes;
  std::string_view where;
  const DecodeOptions& options;
};

struct ImageSize {
  int width = 0;
  int height = 0;
};

struct Decoded {
  Image image;
  int orientation = 1;  // the EXIF tag, 1 when there is none
  bool has_alpha = false;
};

Error damaged(const EncodedView& source, ImageFormat format, std::string_view why);
Error ends_early(const EncodedView& source, ImageFormat format);
// The error for a size that no picture has or that breaks max_pixels.
std::optional<Error> refuse_size(const EncodedView& source,
                                 ImageFormat format,
                                 int64_t width,
                                 int64_t height);

// Colours of a palette by index. An index beyond the palette is black, as Pillow has it.
using Palette = std::array<std::array<uint8_t, 3>, 256>;
// Writes one row of indices as RGB.
void expand_indices(std::span<const uint8_t> indices, const Palette& palette, uint8_t* rgb);
void expand_grey(std::span<const uint8_t> grey, uint8_t* rgb);

Result<ImageSize> jpeg_size(const EncodedView& source);
Result<ImageSize> png_size(const EncodedView& source);
Result<ImageSize> webp_size(const EncodedView& source);
Result<ImageSize> gif_size(const EncodedView& source);
Result<ImageSize> bmp_size(const EncodedView& source);

Result<Decoded> decode_jpeg(const EncodedView& source);
Result<Decoded> decode_png(const EncodedView& source);
Result<Decoded> decode_webp(const EncodedView& source);
Result<Decoded> decode_gif(const EncodedView& source);
Result<Decoded> decode_bmp(const EncodedView& source);

}  // namespace snellen::media
