// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "snellen/annotations/visdial/dialog_key.h"
#include "snellen/text/string_pool.h"

namespace snellen::annotations {

// Reference answers per dialog round (DenseVisDial refs_*.json), sorted by (image_id, round_id):
// set i belongs to keys[i]. Each distinct answer is kept once.
struct References {
  std::filesystem::path path;
  std::vector<DialogKey> keys;
  text::StringSets sets;
};

// Throws kNotFound, or kInvalidInput as "file: entry K: reason" for the first thing that is wrong,
// in the order of Generations. `refs` must not be empty; `in_cluster_idxs`, where present, must be
// 100 numbers 0 or 1.
References read_references(std::filesystem::path path);

}  // namespace snellen::annotations
