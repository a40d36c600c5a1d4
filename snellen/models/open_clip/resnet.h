// SPDX-License-Identifier: Apache-2.0
// CLIP's ResNet with attention pooling (docs/spec/models.md 3.2): a stem of three convolutions,
// average pools instead of strides, one query at the end.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "snellen/models/network.h"
#include "snellen/models/nn/attention.h"
#include "snellen/models/nn/convolution.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::open_clip {

struct Bottleneck {
  nn::Convolution reduce;
  nn::Convolution spatial;
  nn::Convolution expand;
  std::optional<nn::Convolution> shortcut;
  int64_t stride = 1;

  at::Tensor operator()(const at::Tensor& x) const;
};

struct ResNet {
  std::array<nn::Convolution, 3> stem;
  std::array<std::vector<Bottleneck>, 4> stages;
  at::Tensor positions;  // [1 + cells, 32 * width]
  nn::CrossAttention pool;
  int64_t image_size = 0;

  at::Tensor operator()(const at::Tensor& pixels, Trace* trace) const;
};

struct ResNetShape {
  std::vector<int64_t> layers;  // of the four stages
  int64_t width = 64;
  int64_t image_size = 224;
  int64_t num_heads = 32;
  int64_t embed_width = 1024;
};

// Names below "visual.".
ResNet load_resnet(nn::Weights& weights, const ResNetShape& shape);

}  // namespace snellen::models::open_clip
