// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::annotations {

// Labels by id, such as what an object detector saw in each clip: {"6": ["person", "chair"]}.
struct LabelLists {
  std::map<std::string, std::set<std::string>, std::less<>> labels;
  std::vector<Error> bad_records;
};

// Throws kNotFound, or kInvalidInput for a file that is not one JSON object.
LabelLists read_label_lists(const std::filesystem::path& path);

}  // namespace snellen::annotations
