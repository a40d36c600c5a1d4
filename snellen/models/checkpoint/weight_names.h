// SPDX-License-Identifier: Apache-2.0
// What old files call their weights (spec: models 1.4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snellen::models {

// Buffers that earlier versions stored and nothing reads: position_ids, token_type_ids, GPT-2's
// masks, attn_mask, num_batches_tracked.
bool is_dropped(std::string_view name);

// LayerNorm.gamma -> LayerNorm.weight, LayerNorm.beta -> LayerNorm.bias; any other name unchanged.
std::string renamed(std::string_view name);

// What a weight may be called in a family with base prefix `prefix` ("bert."): the name itself,
// then with the prefix put on, or taken off where it is there. For WeightFiles::find_any.
std::vector<std::string> with_and_without_prefix(std::string_view name, std::string_view prefix);

}  // namespace snellen::models
