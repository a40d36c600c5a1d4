// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "snellen/annotations/visdial/dialog_key.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// Ranks as the challenge server takes them (docs/spec/visdial.md 2.5): an array of {"image_id",
// "round_id" from 1, "ranks": [100]}, rank 1 the best. Every entry is checked when the file is
// opened; the ranks are read again when they are asked for. Const methods are safe from many
// threads.
class RanksFile {
 public:
  // Throws kNotFound, or kInvalidInput as "file: entry K: reason".
  explicit RanksFile(std::filesystem::path path);

  const std::filesystem::path& path() const { return elements_.path(); }
  std::span<const KeyedEntry> entries() const { return entries_; }
  // Empty where the file has none for the round.
  std::vector<uint32_t> find(const DialogKey& key) const;

 private:
  formats::JsonElements elements_;
  std::vector<KeyedEntry> entries_;
};

}  // namespace snellen::annotations
