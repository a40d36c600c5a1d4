// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "snellen/annotations/visdial/dialog_key.h"

namespace snellen::annotations {

struct Pairing {
  std::vector<uint32_t>
      entries;            // for each reference key, in order, its entry in the generations file
  size_t num_unused = 0;  // generations without a reference: allowed, for the human subset
};

// Joins on the key. Both sides are sorted by key and hold each key once. Throws kInvalidInput when
// a reference has no generation, with the first five keys and the count; `source` names the
// references.
Pairing pair_by_key(std::span<const DialogKey> references,
                    std::span<const KeyedEntry> generations,
                    const std::filesystem::path& source);

// The published arithmetic: by position when the lengths are equal or their ratio rounds down to 1,
// otherwise reference i with generation i * ratio + round_id. Gives what pair_by_key gives, or
// throws kInvalidInput.
Pairing pair_by_position(std::span<const DialogKey> references,
                         std::span<const KeyedEntry> generations,
                         const std::filesystem::path& source);

}  // namespace snellen::annotations
