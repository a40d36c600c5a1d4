// SPDX-License-Identifier: Apache-2.0
// One item of a ViLMA annotation file, and everything that is asked of it afterwards.
#include <cstdint>
#include <cstdlib>

#include "snellen/annotations/vilma/vilma_annotations.h"
#include "snellen/annotations/vilma/vilma_item.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  namespace annotations = snellen::annotations;
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  const auto item = annotations::parse_vilma_item("id", json, "fuzz");
  if (!item) return 0;
  if (item->main.foils.empty()) std::abort();
  (void)item->video();
  (void)annotations::defect_of(*item);
  (void)annotations::vilma_place_of("mine.json", *item);
  if (!annotations::is_evaluated(*item, annotations::VilmaFilter::kNone)) std::abort();
  (void)annotations::is_evaluated(*item, annotations::VilmaFilter::kBoth);
  return 0;
}
