// SPDX-License-Identifier: Apache-2.0
// EfficientNet (Tan and Le 2019) as ALIGN uses it: no head, a global mean
// (docs/spec/models.md 3.4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/models/network.h"
#include "snellen/models/nn/convolution.h"
#include "snellen/models/nn/layers.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::align {

struct Block {
  std::optional<nn::Convolution> expand;
  nn::Convolution depthwise;
  nn::Convolution squeeze_reduce;  // 1 x 1 with a bias of their own
  nn::Convolution squeeze_expand;
  nn::Convolution project;
  bool adds_input = false;

  at::Tensor operator()(const at::Tensor& x, nn::Activation activation) const;
};

struct EfficientNet {
  nn::Convolution stem;
  std::vector<Block> blocks;
  nn::Activation activation = nn::Activation::kSilu;
  bool pools_maximum = false;
  int64_t width = 0;  // channels of the last block

  // One row per picture.
  at::Tensor operator()(const at::Tensor& pixels, Trace* trace) const;
};

// Names below "vision_model.".
EfficientNet load_efficient_net(nn::Weights& weights, const ConfigView& config);

}  // namespace snellen::models::align
