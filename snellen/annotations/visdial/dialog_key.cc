// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/dialog_key.h"

#include <algorithm>

#include "snellen/base/error.h"

namespace snellen::annotations {

void sort_by_key(std::span<KeyedEntry> entries, const std::filesystem::path& source) {
  std::sort(entries.begin(), entries.end(), [](const KeyedEntry& a, const KeyedEntry& b) {
    return a.key != b.key ? a.key < b.key : a.entry < b.entry;
  });
  // Of several repeats the one that comes first in the file is named, so that the message does not
  // depend on ids.
  const KeyedEntry* repeat = nullptr;
  uint32_t earlier = 0;
  for (size_t i = 1; i < entries.size(); ++i) {
    if (entries[i].key != entries[i - 1].key) continue;
    if (repeat != nullptr && repeat->entry < entries[i].entry) continue;
    repeat = &entries[i];
    earlier = entries[i - 1].entry;
  }
  if (repeat == nullptr) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("image_id {} round_id {} was given before, in entry {}",
                          repeat->key.image_id,
                          repeat->key.round_id,
                          earlier),
              fmt::format("{}: entry {}", source.string(), repeat->entry)};
}

}  // namespace snellen::annotations
