// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "snellen/models/nn/weights.h"

namespace snellen::models::bridge_tower {

// norm(tower * a + cross * b), where a state of one tower joins its cross-modal stream.
struct Link {
  double tower_factor = 1;
  double cross_factor = 1;
  nn::LayerNorm norm;

  at::Tensor operator()(const at::Tensor& tower, const at::Tensor& cross) const {
    if (tower_factor == 1 && cross_factor == 1) return norm(tower + cross);
    return norm(tower * tower_factor + cross * cross_factor);
  }
};

// One for each cross-modal layer but the first; the same one for all where they are shared.
std::vector<Link> load_links(nn::Weights& weights,
                             const ConfigView& config,
                             const std::string& name);

}  // namespace snellen::models::bridge_tower
