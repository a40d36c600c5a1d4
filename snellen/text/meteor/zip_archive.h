// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace snellen::text::meteor {

// The unpacked bytes of entry `name` in ZIP archive `bytes` (a jar is one), nothing when there is
// no such entry. Stored and deflated entries up to `max_bytes`; sizes and checksum are verified.
// Throws kInvalidInput, naming `where`, for a damaged archive.
std::optional<std::string> read_zip_entry(std::string_view bytes,
                                          std::string_view name,
                                          const std::string& where,
                                          size_t max_bytes = size_t{256} << 20);

}  // namespace snellen::text::meteor
