// SPDX-License-Identifier: Apache-2.0
// Item columns as a file, with a checksum: one that is damaged is no file.
#pragma once

#include <filesystem>
#include <optional>

#include "snellen/store/browse/item_columns.h"

namespace snellen::store {

std::optional<ItemColumns> read_columns(const std::filesystem::path& path);
void write_columns(const ItemColumns& columns, const std::filesystem::path& path);

}  // namespace snellen::store
