// SPDX-License-Identifier: Apache-2.0
// What a device takes of a file must be what the library makes of it.
#include <cstdlib>

#include "snellen/media/codecs/decode.h"
#include "snellen/media/codecs/handmade_device.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const snellen::media::DecodeOptions small = {.max_pixels = 1 << 20};
  if (!snellen::media::image_info(bytes, "fuzz", small)) return 0;
  std::optional<snellen::media::Image> there = snellen::media::decoded_elsewhere(bytes);
  if (!there) return 0;
  snellen::Result<snellen::media::Image> here = snellen::media::decode_image(bytes, "fuzz", small);
  if (!here || here->pixels != there->pixels) std::abort();
  return 0;
}
