// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weight_names.h"

namespace snellen::models {
namespace {

// `ending` as the whole name or after a dot.
bool ends_with_part(std::string_view name, std::string_view ending) {
  if (!name.ends_with(ending)) return false;
  return name.size() == ending.size() || name[name.size() - ending.size() - 1] == '.';
}

}  // namespace

bool is_dropped(std::string_view name) {
  return name.ends_with("position_ids") || name.ends_with("token_type_ids") ||
         name.ends_with(".attn.bias") || name.ends_with(".attn.masked_bias") ||
         ends_with_part(name, "attn_mask") || ends_with_part(name, "num_batches_tracked");
}

std::string renamed(std::string_view name) {
  constexpr std::string_view kGamma = "LayerNorm.gamma", kBeta = "LayerNorm.beta";
  if (ends_with_part(name, kGamma))
    return std::string(name.substr(0, name.size() - kGamma.size())) + "LayerNorm.weight";
  if (ends_with_part(name, kBeta))
    return std::string(name.substr(0, name.size() - kBeta.size())) + "LayerNorm.bias";
  return std::string(name);
}

std::vector<std::string> with_and_without_prefix(std::string_view name, std::string_view prefix) {
  std::vector<std::string> names = {std::string(name)};
  if (prefix.empty()) return names;
  if (name.starts_with(prefix)) {
    names.emplace_back(name.substr(prefix.size()));
  } else {
    names.push_back(std::string(prefix) + std::string(name));
  }
  return names;
}

}  // namespace snellen::models
