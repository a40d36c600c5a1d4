// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/visuals/pixel_bytes.h"

#include <algorithm>
#include <cstring>

namespace snellen::inference {
namespace {

struct Header {
  int64_t num_frames = 0;
  int64_t height = 0;
  int64_t width = 0;
  uint64_t num_shown = 0;  // frame numbers that follow, before the pixels
  uint64_t is_masked = 0;
};

}  // namespace

std::vector<std::byte> bytes_of(const VisualPixels& pixels) {
  const Header header{.num_frames = pixels.num_frames,
                      .height = pixels.height,
                      .width = pixels.width,
                      .num_shown = pixels.frames.size(),
                      .is_masked = pixels.is_masked ? uint64_t{1} : 0};
  const auto frames = std::as_bytes(std::span(pixels.frames));
  const auto values = std::as_bytes(std::span(pixels.bytes));
  std::vector<std::byte> bytes(sizeof header + frames.size() + values.size());
  std::span<std::byte> rest(bytes);
  for (std::span<const std::byte> part :
       {std::span<const std::byte>(std::as_bytes(std::span(&header, 1))), frames, values}) {
    std::copy(part.begin(), part.end(), rest.begin());
    rest = rest.subspan(part.size());
  }
  return bytes;
}

VisualPixels pixels_of(std::span<const std::byte> bytes) {
  Header header;
  SNELLEN_CHECK(bytes.size() >= sizeof header);
  std::memcpy(&header, bytes.data(), sizeof header);
  bytes = bytes.subspan(sizeof header);
  VisualPixels pixels{.num_frames = header.num_frames,
                      .height = header.height,
                      .width = header.width,
                      .bytes = {},
                      .is_masked = header.is_masked != 0,
                      .frames = media::FrameIndices(header.num_shown)};
  const size_t frame_bytes = header.num_shown * sizeof(pixels.frames[0]);
  SNELLEN_CHECK(bytes.size() >= frame_bytes);
  if (frame_bytes > 0) std::memcpy(pixels.frames.data(), bytes.data(), frame_bytes);
  bytes = bytes.subspan(frame_bytes);
  pixels.bytes.resize(bytes.size());
  if (!bytes.empty()) std::memcpy(pixels.bytes.data(), bytes.data(), bytes.size());
  return pixels;
}

}  // namespace snellen::inference
