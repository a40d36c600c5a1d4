// SPDX-License-Identifier: Apache-2.0
// One line of a score file, read by the record reader as the probe tasks do.
#include <cstdint>
#include <string_view>

#include "snellen/annotations/record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  snellen::annotations::Record record({reinterpret_cast<const char*>(data), size}, "fuzz");
  (void)record.id("image_id");
  (void)record.text("split");
  (void)record.integer("index");
  (void)record.numbers("anchor", 5);
  (void)record.rows("scores", 2);
  (void)record.rows("obj1", 5);
  (void)record.numbers_within("logits", "gt");
  (void)record.texts("other_objects");
  (void)record.keys_of("annotations");
  return 0;
}
