// SPDX-License-Identifier: Apache-2.0
// The sizes of an open_clip model: from open_clip_config.json, or, for OpenAI's own state dict,
// from the shapes of its weights (docs/spec/models.md 3.2).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "snellen/models/network.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::open_clip {

struct Settings {
  int64_t embed_width = 512;
  bool is_quick_gelu = false;

  int64_t image_size = 224;
  std::vector<int64_t> resnet_layers;  // four for a ResNet, empty for a vision transformer
  int64_t vision_layers = 12;
  int64_t vision_width = 768;
  int64_t vision_heads = 12;
  int64_t vision_mlp = 3072;
  int64_t patch = 16;

  int64_t context = 77;
  int64_t vocabulary = 49408;
  int64_t text_width = 512;
  int64_t text_heads = 8;
  int64_t text_layers = 12;
};

// Throws kInvalidInput for options that are not ours, by name.
Settings settings_of(const Checkpoint& checkpoint,
                     const nn::Weights& weights,
                     const NetworkOptions& options);

}  // namespace snellen::models::open_clip
