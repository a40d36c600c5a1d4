// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "snellen/eyechart/world/motion.h"

namespace snellen::eyechart {

// Renders and encodes, H.264 for .mp4 and VP9 for .webm, with one thread, so that the same script
// gives the same bytes; frame i lies at i / frames_per_second. The file appears whole.
void write_clip(const ClipScript& script, const std::filesystem::path& path);

// NumPy's version 1.0 file of a one-dimensional int64 array.
std::string npy_of(std::span<const int> values);

}  // namespace snellen::eyechart
