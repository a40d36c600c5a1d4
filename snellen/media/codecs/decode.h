// SPDX-License-Identifier: Apache-2.0
// Encoded pictures in, RGB8 out, as Pillow's open(...).convert("RGB") gives them: alpha is dropped,
// grey and palettes are expanded, EXIF orientation is left alone unless asked for. The format is
// told by the content, never by the name. Safe from many threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/media/image.h"

namespace snellen::media {

enum class ImageFormat { kJpeg, kPng, kWebp, kGif, kBmp };

// "JPEG", "PNG", ...
std::string_view name_of(ImageFormat format);

struct DecodeOptions {
  // Checked against the header before anything is allocated. The default is where Pillow too stops
  // believing that a picture is one.
  int64_t max_pixels = 178'956'970;
  size_t max_bytes = size_t{256} << 20;  // of the encoded file
  bool apply_orientation = false;        // turn the picture as its EXIF tag says
  // Lay what is transparent on white instead of dropping alpha. PNG, WebP and GIF.
  bool alpha_on_white = false;
  bool* has_alpha = nullptr;  // where given: set for a picture with alpha or a transparent colour
};

struct ImageInfo {
  ImageFormat format = ImageFormat::kJpeg;
  int width = 0;
  int height = 0;
};

// kInvalidInput, naming `where`, for bytes that are no picture, are damaged, end early or break a
// limit. An animation gives its first frame.
Result<Image> decode_image(std::string_view bytes,
                           std::string_view where,
                           const DecodeOptions& options = {});

// The same for a file; a file that cannot be opened is kNotFound.
Result<Image> read_image(const std::filesystem::path& path, const DecodeOptions& options = {});

// Format and size from the header alone; the limits hold here too.
Result<ImageInfo> image_info(std::string_view bytes,
                             std::string_view where,
                             const DecodeOptions& options = {});

}  // namespace snellen::media
