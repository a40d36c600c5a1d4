// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/processor/image_processor.h"

#include <cstring>

namespace snellen::media {
namespace {

// float32 at each step, as NumPy keeps it.
float prepared(const ProcessorConfig& config, size_t channel, int byte) {
  float value = static_cast<float>(byte);
  if (config.is_rescaled) value = static_cast<float>(byte * config.rescale_factor);
  if (config.is_rescaled && config.is_offset) value -= 1.0f;
  const float std = static_cast<float>(config.std[channel]);
  if (config.is_normalized) value = (value - static_cast<float>(config.mean[channel])) / std;
  if (config.is_divided_again) value /= std;
  return value;
}

}  // namespace

ImageProcessor::ImageProcessor(ProcessorConfig config, PassOrder order, SimdLevel level)
    : config_(std::move(config)), order_(order), level_(level) {
  for (size_t channel = 0; channel < 3; ++channel) {
    for (int byte = 0; byte < 256; ++byte)
      tables_[channel][static_cast<size_t>(byte)] = prepared(config_, channel, byte);
  }
}

ResizeTarget ImageProcessor::target_of(const Geometry& geometry) const {
  return {.width = geometry.resized_width,
          .height = geometry.resized_height,
          .filter = config_.filter,
          .window = geometry.window,
          .order = order_};
}

std::optional<Cut> ImageProcessor::cut_of(int width, int height) const {
  Result<Geometry> geometry = geometry_of(config_, width, height);
  if (!geometry) return std::nullopt;
  std::optional<ResizePlan> plan = plan_resize(width, height, target_of(*geometry));
  if (!plan) return std::nullopt;
  return Cut{*geometry, std::move(*plan)};
}

Result<Image> ImageProcessor::to_bytes(const Image& picture) const {
  Result<Geometry> planned = geometry_of(config_, picture.width, picture.height);
  if (!planned) return planned.error();
  const Geometry& geometry = *planned;
  Image window = resize(picture, target_of(geometry), level_);
  if (window.width == geometry.width && window.height == geometry.height) return window;
  Image placed = Image::blank(geometry.width, geometry.height);
  for (int y = 0; y < window.height; ++y) {
    uint8_t* out =
        placed.row(geometry.top + y).data() + size_t{3} * static_cast<size_t>(geometry.left);
    std::memcpy(out, window.row(y).data(), window.stride());
  }
  return placed;
}

void ImageProcessor::to_floats(std::span<const uint8_t> bytes, std::span<float> values) const {
  SNELLEN_CHECK(values.size() == bytes.size() && bytes.size() % 3 == 0);
  const size_t num_pixels = bytes.size() / 3;
  float* red = values.data();
  float* green = red + num_pixels;
  float* blue = green + num_pixels;
  const uint8_t* in = bytes.data();
  for (size_t i = 0; i < num_pixels; ++i, in += 3) {
    red[i] = tables_[0][in[0]];
    green[i] = tables_[1][in[1]];
    blue[i] = tables_[2][in[2]];
  }
}

Result<PixelTensor> ImageProcessor::process(const Image& picture) const {
  Result<Image> bytes = to_bytes(picture);
  if (!bytes) return bytes.error();
  PixelTensor tensor{bytes->width, bytes->height, {}};
  tensor.values.resize(bytes->pixels.size());
  to_floats(bytes->pixels, tensor.values);
  return tensor;
}

}  // namespace snellen::media
