// SPDX-License-Identifier: Apache-2.0
// From a decoded picture to what a model is fed, as the *Pil image processors of transformers and
// open_clip's evaluation transform do it: bytes equal to the bit, floats to 1e-6.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/media/image.h"
#include "snellen/media/processor/geometry.h"
#include "snellen/media/processor/processor_config.h"
#include "snellen/media/resample/resize_plan.h"
#include "snellen/media/resample/simd.h"

namespace snellen::media {

// Channels first: values[(c * height + y) * width + x].
struct PixelTensor {
  int width = 0;
  int height = 0;
  std::vector<float> values;
};

// How pictures of one size are cut, for those who do it elsewhere than here.
struct Cut {
  Geometry geometry;
  ResizePlan plan;
};

// Const methods are safe from many threads.
class ImageProcessor {
 public:
  explicit ImageProcessor(ProcessorConfig config,
                          PassOrder order = PassOrder::kPillow13,
                          SimdLevel level = best_simd_level());

  const ProcessorConfig& config() const { return config_; }

  // The uint8 stage: resized, cropped, padded with black. Only the crop window is computed.
  Result<Image> to_bytes(const Image& picture) const;
  // What to_bytes() does to a picture of this size; nothing where it is not made of passes.
  std::optional<Cut> cut_of(int width, int height) const;
  // Rescaled and normalised; `values` has room for 3 * height * width.
  void to_floats(std::span<const uint8_t> bytes, std::span<float> values) const;
  // The number that each byte of a channel stands for, 3 x 256.
  std::span<const float> table() const { return {tables_.front().data(), size_t{3} * 256}; }
  // Both stages.
  Result<PixelTensor> process(const Image& picture) const;

 private:
  ResizeTarget target_of(const Geometry& geometry) const;

  ProcessorConfig config_;
  PassOrder order_;
  SimdLevel level_;
  // A byte's value in each channel: 256 possible inputs, so each is computed once.
  std::array<std::array<float, 256>, 3> tables_;
};

}  // namespace snellen::media
