// SPDX-License-Identifier: Apache-2.0
// results.json, and the number lists and details of samples.db, as another program may have left
// them.
#include <cstdint>
#include <string_view>

#include "snellen/base/error.h"
#include "snellen/store/results.h"
#include "snellen/store/samples.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    snellen::store::results_to_json(snellen::store::results_from_json(text, "fuzz"));
  } catch (const snellen::Error&) {
  }
  try {
    snellen::store::numbers_from_json(text);
  } catch (const snellen::Error&) {
  }
  // Any text comes back as it was, and every value of it has a name.
  const snellen::store::Detail detail = snellen::store::Detail::of_json(text);
  if (detail.json() != text) __builtin_trap();
  if (snellen::store::holes_of(detail.shape).size() != detail.numbers.size() + detail.texts.size())
    __builtin_trap();
  return 0;
}
