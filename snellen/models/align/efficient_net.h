// SPDX-License-Identifier: Apache-2.0
// EfficientNet (Tan and Le 2019) as ALIGN uses it: no head, a global mean (spec/models.md 3.4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/models/network.h"
#include "snellen/models/nn/layers.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::align {

// A convolution without bias, the padding before it and the normalisation after it, whose running
// statistics are folded in when it is loaded.
struct Convolution {
  at::Tensor weight;
  at::Tensor bias;
  int64_t stride = 1;
  int64_t groups = 1;
  std::vector<int64_t> padding = {0, 0, 0, 0};  // left, right, top, bottom

  at::Tensor operator()(const at::Tensor& x) const;
};

struct Block {
  std::optional<Convolution> expand;
  Convolution depthwise;
  Convolution squeeze_reduce;  // 1 x 1 with a bias of their own
  Convolution squeeze_expand;
  Convolution project;
  bool adds_input = false;

  at::Tensor operator()(const at::Tensor& x, nn::Activation activation) const;
};

struct EfficientNet {
  Convolution stem;
  std::vector<Block> blocks;
  nn::Activation activation = nn::Activation::kSilu;
  bool pools_maximum = false;
  int64_t width = 0;  // channels of the last block

  // One row a picture.
  at::Tensor operator()(const at::Tensor& pixels, Trace* trace) const;
};

// Names below "vision_model.".
EfficientNet load_efficient_net(nn::Weights& weights, const ConfigView& config);

}  // namespace snellen::models::align
