// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::media {

// For each item the one whose picture it is shown instead: an evenly drawn permutation that leaves
// nothing in its place. With categories (one for each item) pictures stay within their category;
// each category has a stream of its own. An error when there is only one item, or a category with
// only one.
Result<std::vector<size_t>> mismatched(size_t num_items, uint64_t seed);
Result<std::vector<size_t>> mismatched_in_category(std::span<const std::string> categories,
                                                   uint64_t seed);

}  // namespace snellen::media
