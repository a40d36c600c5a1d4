// SPDX-License-Identifier: Apache-2.0
// Resizing equal to Pillow's Image.resize on RGB8, bit for bit: two passes with bytes between them
// (docs/spec/probe.md 2.7).
#pragma once

#include <optional>

#include "snellen/media/image.h"
#include "snellen/media/resample/filter.h"
#include "snellen/media/resample/simd.h"

namespace snellen::media {

struct Rectangle {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};

// Which pass comes first; it shows in the last bit. Up to release 12 Pillow goes horizontally
// first; from 13 on vertically, where the height loses more than twice as many samples as the
// width.
enum class PassOrder { kPillow13, kHorizontalFirst };

struct ResizeTarget {
  int width = 0;
  int height = 0;
  Filter filter = Filter::kBicubic;
  // The part of the resized picture that is wanted; only it is computed. Inside width x height.
  std::optional<Rectangle> window = std::nullopt;
  PassOrder order = PassOrder::kPillow13;
};

// Cost is that of the window and the input it covers. Safe from many threads.
Image resize(const Image& source, const ResizeTarget& target, SimdLevel level = best_simd_level());

}  // namespace snellen::media
