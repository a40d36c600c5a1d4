// SPDX-License-Identifier: Apache-2.0
// ResNet v1.5 (He et al. 2016, with the stride in the 3 x 3 convolution): 7 x 7 stem, largest-value
// pool, four stages of bottlenecks, a global mean and one product (docs/spec/models.md 5).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "snellen/models/network.h"
#include "snellen/models/nn/convolution.h"
#include "snellen/models/nn/layers.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::otter {

struct ResidualBlock {
  nn::Convolution reduce;
  nn::Convolution spatial;
  nn::Convolution expand;
  std::optional<nn::Convolution> shortcut;

  at::Tensor operator()(const at::Tensor& x) const;
};

struct ResidualNet {
  nn::Convolution stem;
  std::vector<std::vector<ResidualBlock>> stages;
  nn::Linear head;

  // One row per picture. Stages are traced as "vision.1" to "vision.4".
  at::Tensor operator()(const at::Tensor& pixels, Trace* trace) const;
};

struct ResidualNetShape {
  std::vector<int64_t> layers;  // of the four stages
  int64_t width = 64;           // of the stem; a stage is twice as wide as the one before
  int64_t embed_width = 768;
};

// timm's names below `prefix`, which ends with a dot.
ResidualNet load_residual_net(nn::Weights& weights,
                              const std::string& prefix,
                              const ResidualNetShape& shape);

}  // namespace snellen::models::otter
