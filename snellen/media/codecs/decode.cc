// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/codecs/decode.h"

#include <array>
#include <fstream>

#include <fmt/format.h>

#include "snellen/base/files.h"
#include "snellen/media/codecs/exif.h"
#include "snellen/media/codecs/formats.h"
#include "snellen/media/codecs/sniff.h"

namespace snellen::media {
namespace {

struct Codec {
  ImageFormat format;
  Result<ImageSize> (*size)(const EncodedView&);
  Result<Decoded> (*decode)(const EncodedView&);
};

constexpr Codec kCodecs[] = {
    {ImageFormat::kJpeg, jpeg_size, decode_jpeg},
    {ImageFormat::kPng, png_size, decode_png},
    {ImageFormat::kWebp, webp_size, decode_webp},
    {ImageFormat::kGif, gif_size, decode_gif},
    {ImageFormat::kBmp, bmp_size, decode_bmp},
};

std::optional<ImageFormat> sniff(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xff\xd8\xff"sv)) return ImageFormat::kJpeg;
  if (bytes.starts_with("\x89PNG\r\n\x1a\n"sv)) return ImageFormat::kPng;
  if (bytes.starts_with("RIFF"sv) && bytes.size() >= 12 && bytes.substr(8, 4) == "WEBP"sv)
    return ImageFormat::kWebp;
  if (bytes.starts_with("GIF87a"sv) || bytes.starts_with("GIF89a"sv)) return ImageFormat::kGif;
  if (bytes.starts_with("BM"sv)) return ImageFormat::kBmp;
  return std::nullopt;
}

Result<const Codec*> codec_of(const EncodedView& source) {
  if (source.bytes.empty())
    return Error{
        ErrorCode::kInvalidInput, "the picture is empty (0 bytes)", std::string(source.where)};
  if (source.bytes.size() > source.options.max_bytes) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the picture has {} bytes, more than the limit of {}",
                             source.bytes.size(),
                             source.options.max_bytes),
                 std::string(source.where)};
  }
  std::optional<ImageFormat> format = sniff(source.bytes);
  for (const Codec& codec : kCodecs) {
    if (format == codec.format) return &codec;
  }
  return Error{ErrorCode::kInvalidInput,
               "not a picture of a known format",
               std::string(source.where),
               "JPEG, PNG, WebP, GIF and BMP are read; convert it"};
}

}  // namespace

std::string_view name_of(ImageFormat format) {
  switch (format) {
    case ImageFormat::kJpeg:
      return "JPEG";
    case ImageFormat::kPng:
      return "PNG";
    case ImageFormat::kWebp:
      return "WebP";
    case ImageFormat::kGif:
      return "GIF";
    case ImageFormat::kBmp:
      return "BMP";
  }
  return "";
}

Result<Image> decode_image(std::string_view bytes,
                           std::string_view where,
                           const DecodeOptions& options) {
  EncodedView source{bytes, where, options};
  Result<const Codec*> codec = codec_of(source);
  if (!codec) return codec.error();
  Result<Decoded> decoded = (*codec)->decode(source);
  if (!decoded) return decoded.error();
  Decoded picture = std::move(decoded).value();
  if (options.has_alpha) *options.has_alpha = picture.has_alpha;
  if (!options.apply_orientation) return std::move(picture.image);
  return oriented(std::move(picture.image), picture.orientation);
}

Result<Image> read_image(const std::filesystem::path& path, const DecodeOptions& options) {
  try {
    FileBytes file(path);
    return decode_image(file.bytes(), path.string(), options);
  } catch (const Error& error) {
    return error;  // a file that is missing is one item's failure, not the run's
  }
}

bool begins_like_picture(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    return true;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 12> head{};
  file.read(head.data(), head.size());
  return sniff({head.data(), static_cast<size_t>(file.gcount())}).has_value();
}

Result<ImageInfo> image_info(std::string_view bytes,
                             std::string_view where,
                             const DecodeOptions& options) {
  EncodedView source{bytes, where, options};
  Result<const Codec*> codec = codec_of(source);
  if (!codec) return codec.error();
  Result<ImageSize> size = (*codec)->size(source);
  if (!size) return size.error();
  return ImageInfo{(*codec)->format, size->width, size->height};
}

}  // namespace snellen::media
