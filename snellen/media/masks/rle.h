// SPDX-License-Identifier: Apache-2.0
// Run lengths of a mask, as COCO's mask library keeps them (docs/spec/probe.md 6.5): down the
// columns, left to right, beginning with a run of unmarked pixels, which may be 0 long.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::media {

struct Rle {
  int height = 0;
  int width = 0;
  std::vector<uint32_t> counts;  // their sum is height * width

  bool operator==(const Rle&) const = default;
};

// What is accepted before anything is allocated.
struct MaskLimits {
  uint64_t max_pixels = 178956970;  // as of a picture (DecodeOptions)
  // Columns crossed by the edges of one polygon, over all its edges; COCO's largest stay below 1e5.
  uint64_t max_crossings = uint64_t{1} << 24;
};

struct MaskBox {
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t width = 0;
  uint32_t height = 0;

  bool operator==(const MaskBox&) const = default;
};

// Whether a mask may have this size: both sides at least 1, pixels within the limit.
Result<uint64_t> checked_mask_pixels(int64_t height, int64_t width, const MaskLimits& limits);

// An uncompressed list. An error when its sum is not height * width.
Result<Rle> rle_of_counts(std::span<const uint64_t> counts,
                          int64_t height,
                          int64_t width,
                          const MaskLimits& limits = {});
// COCO's compressed string. An error for a character outside '0'..'o', a number cut short or out of
// range, or runs that do not add up to height * width.
Result<Rle> rle_of_string(std::string_view text,
                          int64_t height,
                          int64_t width,
                          const MaskLimits& limits = {});
std::string string_of(const Rle& rle);

// The mask without a marked pixel.
Rle blank_rle(int height, int width);

enum class MergeRule { kUnion, kIntersection };

// Merges masks of one size as they come. Masks of about equally many parts are merged with each
// other, so that the time grows with the number of runs and not with its square.
class RleMerger {
 public:
  explicit RleMerger(MergeRule rule = MergeRule::kUnion) : rule_(rule) {}
  void add(Rle mask);
  // Nothing when no mask was added.
  std::optional<Rle> take();

 private:
  struct Part {
    Rle mask;
    size_t num_masks;
  };
  void merge_last_two();

  MergeRule rule_;
  std::vector<Part> parts_;  // each of at least twice as many masks as the next
};
// All of one size, at least one; run by run what COCO's merge gives.
Rle merge(std::span<const Rle> masks, MergeRule rule = MergeRule::kUnion);

// Marked pixels.
uint64_t area_of(const Rle& rle);
// The box of COCO's toBbox; all zeros when nothing is marked. Like there, a run that goes on into
// the next column spans the full height.
MaskBox box_of(const Rle& rle);

}  // namespace snellen::media
