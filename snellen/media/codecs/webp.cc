// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include <webp/decode.h>
#include <webp/demux.h>

#include "snellen/media/codecs/exif.h"
#include "snellen/media/codecs/formats.h"

namespace snellen::media {
namespace {

const uint8_t* data_of(std::string_view bytes) {
  return reinterpret_cast<const uint8_t*>(bytes.data());
}

std::string_view words_of(VP8StatusCode status) {
  switch (status) {
    case VP8_STATUS_OUT_OF_MEMORY:
      return "out of memory";
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      return "a feature that is not supported";
    default:
      return "broken chunks";
  }
}

// The container says how long it is; libwebp itself stops reading at the first picture.
bool is_cut(std::string_view bytes) {
  if (bytes.size() < 12) return true;
  const uint8_t* b = data_of(bytes);
  uint64_t claimed = b[4] | uint64_t{b[5]} << 8 | uint64_t{b[6]} << 16 | uint64_t{b[7]} << 24;
  return claimed + 8 > bytes.size();
}

struct DemuxerDeleter {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};
struct FrameGuard {
  WebPIterator frame{};
  ~FrameGuard() { WebPDemuxReleaseIterator(&frame); }
};
struct ChunkGuard {
  WebPChunkIterator chunk{};
  ~ChunkGuard() { WebPDemuxReleaseChunkIterator(&chunk); }
};

Result<WebPBitstreamFeatures> features_of(const EncodedView& source) {
  if (is_cut(source.bytes)) return ends_early(source, ImageFormat::kWebp);
  WebPBitstreamFeatures features;
  VP8StatusCode status = WebPGetFeatures(data_of(source.bytes), source.bytes.size(), &features);
  if (status != VP8_STATUS_OK) return damaged(source, ImageFormat::kWebp, words_of(status));
  if (auto error = refuse_size(source, ImageFormat::kWebp, features.width, features.height))
    return *error;
  return features;
}

// Decodes one still picture into `image` with its corner at (left, top).
bool decode_into(std::string_view bytes, Image& image, int left, int top) {
  uint8_t* corner = image.row(top).data() + size_t{3} * static_cast<size_t>(left);
  size_t room = static_cast<size_t>(image.pixels.data() + image.pixels.size() - corner);
  return WebPDecodeRGBInto(
             data_of(bytes), bytes.size(), corner, room, static_cast<int>(image.stride())) !=
         nullptr;
}

// The same with alpha, laid on white.
bool decode_on_white(std::string_view bytes, Image& image, int left, int top) {
  int width = 0, height = 0;
  std::unique_ptr<uint8_t, decltype(&WebPFree)> rgba(
      WebPDecodeRGBA(data_of(bytes), bytes.size(), &width, &height), WebPFree);
  if (!rgba || left + width > image.width || top + height > image.height) return false;
  const uint8_t* pixel = rgba.get();
  for (int y = 0; y < height; ++y) {
    uint8_t* out = image.row(top + y).data() + size_t{3} * static_cast<size_t>(left);
    for (int x = 0; x < width; ++x, pixel += 4) {
      for (int channel = 0; channel < 3; ++channel)
        *out++ =
            static_cast<uint8_t>((pixel[channel] * pixel[3] + 255 * (255 - pixel[3]) + 127) / 255);
    }
  }
  return true;
}

bool decode_frame(
    const EncodedView& source, std::string_view bytes, Image& image, int left, int top) {
  return source.options.alpha_on_white ? decode_on_white(bytes, image, left, top)
                                       : decode_into(bytes, image, left, top);
}

}  // namespace

Result<ImageSize> webp_size(const EncodedView& source) {
  Result<WebPBitstreamFeatures> features = features_of(source);
  if (!features) return features.error();
  return ImageSize{features->width, features->height};
}

Result<Decoded> decode_webp(const EncodedView& source) {
  Result<WebPBitstreamFeatures> features = features_of(source);
  if (!features) return features.error();
  Decoded decoded{
      Image::blank(features->width, features->height), 1, /*has_alpha=*/features->has_alpha != 0};
  if (!features->has_animation && !source.options.apply_orientation) {
    if (decode_frame(source, source.bytes, decoded.image, 0, 0)) return decoded;
    return damaged(source, ImageFormat::kWebp, "broken chunks");
  }
  WebPData data{data_of(source.bytes), source.bytes.size()};
  std::unique_ptr<WebPDemuxer, DemuxerDeleter> demuxer(WebPDemux(&data));
  FrameGuard first;
  if (!demuxer || !WebPDemuxGetFrame(demuxer.get(), 1, &first.frame))
    return damaged(source, ImageFormat::kWebp, "broken chunks");
  const WebPIterator& frame = first.frame;
  std::string_view fragment(reinterpret_cast<const char*>(frame.fragment.bytes),
                            frame.fragment.size);
  // The rest of an animation's canvas is transparent black, which without alpha is black.
  if (source.options.alpha_on_white)
    std::fill(decoded.image.pixels.begin(), decoded.image.pixels.end(), uint8_t{255});
  bool fits = frame.x_offset >= 0 && frame.y_offset >= 0 &&
              frame.x_offset + frame.width <= features->width &&
              frame.y_offset + frame.height <= features->height;
  if (!fits || !decode_frame(source, fragment, decoded.image, frame.x_offset, frame.y_offset))
    return damaged(source, ImageFormat::kWebp, "broken chunks");
  ChunkGuard exif;
  if (WebPDemuxGetChunk(demuxer.get(), "EXIF", 1, &exif.chunk)) {
    decoded.orientation = exif_orientation(
        {reinterpret_cast<const char*>(exif.chunk.chunk.bytes), exif.chunk.chunk.size});
  }
  return decoded;
}

}  // namespace snellen::media
