// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "snellen/models/blip/vision.h"
#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"

namespace snellen::models::blip2 {

// Blip2ForImageTextRetrieval.
std::unique_ptr<Network> load_retrieval(const Checkpoint& checkpoint,
                                        const NetworkOptions& options);
// Blip2ForConditionalGeneration with OPT.
std::unique_ptr<Network> load_language(const Checkpoint& checkpoint, const NetworkOptions& options);

inline constexpr blip::VisionDefaults kVisionDefaults = {.width = 1408,
                                                         .mlp_width = 6144,
                                                         .num_layers = 39,
                                                         .num_heads = 16,
                                                         .patch = 14,
                                                         .image_size = 224,
                                                         .eps = 1e-6};

}  // namespace snellen::models::blip2
