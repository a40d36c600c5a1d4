// SPDX-License-Identifier: Apache-2.0
// Segmentations and compressed strings of any bytes: what is accepted has as many pixels as its
// size says and comes back from string and pixels unchanged in area.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "snellen/media/masks/mask.h"
#include "snellen/media/masks/segmentation.h"

namespace {

using snellen::Result;
using snellen::media::Rle;

constexpr snellen::media::MaskLimits kLimits{.max_pixels = 1 << 16, .max_crossings = 1 << 16};

void check(const Result<Rle>& rle) {
  if (!rle) return;
  uint64_t sum = 0;
  for (uint32_t count : rle->counts) sum += count;
  bool is_sound = sum == uint64_t(rle->height) * uint64_t(rle->width);
  Result<Rle> again =
      snellen::media::rle_of_string(string_of(*rle), rle->height, rle->width, kLimits);
  is_sound = is_sound && again && *again == *rle;
  snellen::media::Mask mask = mask_of(*rle);
  is_sound = is_sound && area_of(mask) == area_of(*rle) && area_of(rle_of(mask)) == area_of(*rle);
  box_of(*rle);
  if (!is_sound) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  int64_t height = data[0];
  int64_t width = data[1];
  std::string_view text(reinterpret_cast<const char*>(data) + 2, size - 2);
  check(snellen::media::rle_of_segmentation(text, height, width, kLimits));
  check(snellen::media::rle_of_string(text, height, width, kLimits));
  return 0;
}
