// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace snellen::models {

// The `weight_map` of a *.index.json: weight name -> shard. Shards are plain file names; a path
// separator or ".." is refused, and so are more than 4096 shards. Throws kInvalidInput, naming
// `where`.
std::map<std::string, std::string, std::less<>> read_weights_index(std::string_view text,
                                                                   const std::string& where);

}  // namespace snellen::models
