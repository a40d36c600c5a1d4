// SPDX-License-Identifier: Apache-2.0
// Any bytes as a corruption: what is accepted is written in a way that reads back the same, and
// applies to a small picture.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "snellen/media/corruptions/corruption.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using snellen::Result;
  using snellen::media::Corruption;
  Result<Corruption> corruption =
      snellen::media::corruption_of({reinterpret_cast<const char*>(data), size});
  if (!corruption) return 0;
  Result<Corruption> again = snellen::media::corruption_of(corruption->name());
  if (!again || again->parameter() != corruption->parameter()) std::abort();
  snellen::media::Image picture = snellen::media::Image::blank(7, 5);
  Result<snellen::media::Image> out =
      snellen::media::corrupted(*corruption, picture, {.seed = 1, .image_id = "x"});
  if (out && (out->width != 7 || out->height != 5 || out->pixels.size() != 105)) std::abort();
  return 0;
}
