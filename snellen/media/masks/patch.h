// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "snellen/base/rng.h"
#include "snellen/media/masks/mask.h"

namespace snellen::media {

struct PatchPlace {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  bool operator==(const PatchPlace&) const = default;
};

struct Patch {
  PatchPlace place;
  uint64_t num_positions = 0;  // places it was drawn from
};

// Shares of the picture's sides that are tried, largest first (docs/spec/probe.md 6.6).
inline constexpr std::array<double, 3> kPatchScales = {0.20, 0.15, 0.10};

// A rectangle that covers no marked pixel, drawn evenly among all places of the first scale that
// has any; nothing when no scale has one. The stream is `{seed}|probe-b-patch|{image id}`.
std::optional<Patch> draw_patch(const Mask& objects,
                                Rng stream,
                                std::span<const double> scales = kPatchScales);

}  // namespace snellen::media
