// SPDX-License-Identifier: Apache-2.0
// What the readers of VisDial's per-round files share.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "snellen/annotations/record.h"
#include "snellen/annotations/visdial/dialog_key.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// Throws kInvalidInput unless the file is one array of few enough entries to count in 32 bits.
void require_array(const formats::JsonElements& elements);

// image_id and round_id (0..9); fails the record when they are wrong.
DialogKey read_key(Record& record);

// "file: entry K: reason", entries counted from 0.
[[noreturn]] void throw_at(const std::filesystem::path& source,
                           size_t entry,
                           std::string_view reason);

}  // namespace snellen::annotations
