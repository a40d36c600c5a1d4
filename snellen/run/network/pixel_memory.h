// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snellen/run/network/scratch_memory.h"
#include "snellen/run/network/visual_reader.h"

namespace snellen::run {

// Visuals as the processor cut them, as bytes.
std::vector<std::byte> bytes_of(const VisualPixels& pixels);
VisualPixels pixels_of(std::span<const std::byte> bytes);

}  // namespace snellen::run
