// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace snellen::annotations {

// One round of one dialog; round_id counts from 0.
struct DialogKey {
  int64_t image_id = 0;
  int32_t round_id = 0;
  auto operator<=>(const DialogKey&) const = default;
};

// A key and the entry of the file it stands in.
struct KeyedEntry {
  DialogKey key;
  uint32_t entry = 0;
};

// Sorts by key. Throws kInvalidInput naming the later entry when a key comes twice.
void sort_by_key(std::span<KeyedEntry> entries, const std::filesystem::path& source);

}  // namespace snellen::annotations
