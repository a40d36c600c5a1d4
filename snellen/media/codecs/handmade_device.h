// SPDX-License-Identifier: Apache-2.0
// What a device does with a JPEG file, one sample after the other: for tests.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "snellen/media/codecs/jpeg_entropy.h"
#include "snellen/media/codecs/read_jpeg_scan.h"
#include "snellen/media/image.h"

namespace snellen::media {

using Coefficients = std::vector<int16_t>;

inline std::vector<uint8_t> samples_of(const jpeg::Plane& plane, const Coefficients& coefficients) {
  const auto across = static_cast<size_t>(plane.blocks_across), stride = across * 8;
  std::vector<uint8_t> samples(coefficients.size());
  const int16_t* in = coefficients.data();
  for (size_t block = 0; block < samples.size() / 64; ++block, in += 64) {
    std::array<int32_t, 64> values{};
    for (size_t k = 0; k < 64; ++k) values[k] = in[k] * plane.quantisation[k];
    for (size_t x = 0; x < 8; ++x) jpeg::transform(values.data() + x, 8, jpeg::kColumnShift);
    for (size_t y = 0; y < 8; ++y) jpeg::transform(values.data() + 8 * y, 1, jpeg::kRowShift);
    uint8_t* out = samples.data() + block / across * 8 * stride + block % across * 8;
    for (size_t k = 0; k < 64; ++k) out[k / 8 * stride + k % 8] = jpeg::sample_of(values[k]);
  }
  return samples;
}

inline Image picture_of(const jpeg::Scan& scan, const std::array<Coefficients, 3>& coefficients) {
  std::array<std::vector<uint8_t>, 3> bytes;
  std::array<jpeg::Samples, 3> planes{};
  for (size_t i = 0; i < 3; ++i) {
    const jpeg::Plane& plane = scan.planes[i];
    bytes[i] = samples_of(plane, coefficients[i]);
    planes[i] = {bytes[i].data(), plane.blocks_across * 8, plane.width, plane.height};
  }
  Image image = Image::blank(scan.width, scan.height);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const jpeg::Rgb rgb = jpeg::pixel_of(scan.chroma, planes.data(), x, y);
      uint8_t* out = image.row(y).data() + size_t{3} * static_cast<size_t>(x);
      out[0] = rgb.red;
      out[1] = rgb.green;
      out[2] = rgb.blue;
    }
  }
  return image;
}

// What a device makes of a file; nothing where it leaves it to the decoder.
inline std::optional<Image> decoded_elsewhere(std::string_view bytes) {
  std::optional<jpeg::Scan> scan = read_jpeg_scan(bytes);
  if (!scan) return std::nullopt;
  std::array<Coefficients, 3> coefficients;
  std::array<int16_t*, 3> places{};
  for (size_t i = 0; i < 3; ++i) {
    coefficients[i].resize(64 * static_cast<size_t>(scan->planes[i].blocks_across) *
                           static_cast<size_t>(scan->planes[i].blocks_down));
    places[i] = coefficients[i].data();
  }
  const auto* file = reinterpret_cast<const uint8_t*>(bytes.data());
  const auto size = static_cast<int64_t>(bytes.size());
  if (!jpeg::read_scan(*scan, file, size, places.data())) return std::nullopt;
  return picture_of(*scan, coefficients);
}

}  // namespace snellen::media
