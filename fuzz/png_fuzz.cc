// SPDX-License-Identifier: Apache-2.0
#include "fuzz/picture_fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return snellen::fuzz::decode_as(snellen::media::decode_png, data, size);
}
