// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/inference/rows/spill_store.h"
#include "snellen/inference/visuals/visual_reader.h"

namespace snellen::inference {

// Visuals as the processor cut them, as bytes.
std::vector<std::byte> bytes_of(const VisualPixels& pixels);
VisualPixels pixels_of(std::span<const std::byte> bytes);

}  // namespace snellen::inference
