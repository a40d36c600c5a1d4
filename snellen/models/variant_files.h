// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace snellen::models {

struct VariantFile {
  std::string_view name;  // without ".json"
  std::string_view json;
};

// configs/models/*.json by name; CMakeLists.txt writes the source.
std::span<const VariantFile> variant_files();

}  // namespace snellen::models
