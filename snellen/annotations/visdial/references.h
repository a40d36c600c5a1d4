// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "snellen/annotations/visdial/dialog_key.h"
#include "snellen/text/string_pool.h"

namespace snellen::annotations {

// Reference answers per dialog round (DenseVisDial refs_*.json), sorted by (image_id, round_id):
// set i belongs to keys[i]. Each distinct answer is kept once.
struct References {
  std::filesystem::path path;
  std::vector<DialogKey> keys;
  std::vector<uint32_t> entries;  // of the file, one per set
  text::StringSets sets;
};

// Throws kNotFound, or kInvalidInput as "file: entry K: reason" for the first thing that is wrong,
// in the order of Generations. `refs` must not be empty; `in_cluster_idxs`, where present, must be
// 100 numbers 0 or 1.
References read_references(std::filesystem::path path);

// Which of a round's candidates are members of its reference set.
struct MemberSet {
  DialogKey key;
  uint32_t entry = 0;             // of the file
  std::vector<bool> members;      // one flag per candidate
  std::optional<bool> has_given;  // is the text of 'gt_answer' among 'refs'? where it is named
};
// The same files by their masks, sorted by key; an entry without 'in_cluster_idxs' is an error.
std::vector<MemberSet> read_member_sets(std::filesystem::path path);

}  // namespace snellen::annotations
