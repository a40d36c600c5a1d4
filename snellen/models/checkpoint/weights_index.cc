// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weights_index.h"

#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/config.h"

namespace snellen::models {
namespace {

constexpr size_t kMaxShards = 4096;

bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name != "." && name.find("..") == std::string_view::npos &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

}  // namespace

std::map<std::string, std::string, std::less<>> read_weights_index(std::string_view text,
                                                                   const std::string& where) {
  auto fail = [&](std::string what) {
    return Error{ErrorCode::kInvalidInput, std::move(what), where, "download the index again"};
  };
  nlohmann::json json = parse_config(text, where);
  auto found = json.find("weight_map");
  if (found == json.end() || !found->is_object() || found->empty())
    throw fail("has no 'weight_map' from weight names to files");
  std::map<std::string, std::string, std::less<>> shard_of;
  std::set<std::string> shards;
  for (const auto& [name, shard] : found->items()) {
    if (!shard.is_string()) throw fail(fmt::format("weight '{}' names no file", name));
    std::string file = shard.get<std::string>();
    if (!is_plain_file_name(file)) {
      throw fail(fmt::format(
          "weight '{}' lies in '{}', which is not the plain name of a file of this folder",
          name,
          file));
    }
    shards.insert(file);
    if (shards.size() > kMaxShards) throw fail(fmt::format("names more than {} files", kMaxShards));
    shard_of.emplace(name, std::move(file));
  }
  return shard_of;
}

}  // namespace snellen::models
