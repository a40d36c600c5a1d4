// SPDX-License-Identifier: Apache-2.0
// What the readers of VisDial's per-round files share.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

#include "snellen/annotations/record.h"
#include "snellen/annotations/visdial/dialog_key.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// Throws kInvalidInput unless the file is one array of few enough entries to count in 32 bits.
void require_array(const formats::JsonElements& elements);

// Candidate answers per round.
inline constexpr size_t kNumCandidates = 100;
inline constexpr size_t kMostRounds = 10;

// image_id and round_id, which the file counts from `first_round`: 0..9 or 1..10. The key counts
// from 0. Fails the record when they are wrong.
DialogKey read_key(Record& record, int64_t first_round = 0);

// The keyed entries of a file that is one array: `read` gives the key of an entry, or fails its
// record. Sorted by key; throws as "file: entry K: reason".
std::vector<KeyedEntry> keyed_entries(const formats::JsonElements& elements,
                                      const std::function<DialogKey(Record&)>& read);

// "file: entry K: reason", entries counted from 0.
[[noreturn]] void throw_at(const std::filesystem::path& source,
                           size_t entry,
                           std::string_view reason);

}  // namespace snellen::annotations
