// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/probe_compat.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace snellen::tasks {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) {
    return std::tolower(c);
  });
  return result;
}

std::string without(std::string_view text, std::string_view dropped) {
  std::string kept;
  for (char c : text) {
    if (dropped.find(c) == std::string_view::npos && c != '\0') kept.push_back(c);
  }
  // "." and ".." name other folders, and an empty name none.
  if (kept.find_first_not_of('.') == std::string::npos) return "model";
  return kept;
}

}  // namespace

ProbeFamily probe_family(std::string_view model) {
  std::string name = lower(model);
  if (name == "clip_finetuned" || name.starts_with("clip_finetuned_") ||
      name.starts_with("finetuned")) {
    return ProbeFamily::kFinetuned;
  }
  for (auto [prefix, family] : {std::pair{"flava", ProbeFamily::kFlava},
                                std::pair{"vilt", ProbeFamily::kVilt},
                                std::pair{"bridgetower", ProbeFamily::kBridgeTower}}) {
    if (name.starts_with(prefix)) return family;
  }
  return ProbeFamily::kClip;
}

std::string probe_tag(std::string_view model) {
  return without(model, "/@");
}

std::string probe_r_name(std::string_view model, const Finetuned& finetuned) {
  if (probe_family(model) == ProbeFamily::kFinetuned)
    return fmt::format("finetuned{}_ep20_alpha{}_ViT-B32", finetuned.stream, finetuned.alpha);
  if (model.starts_with("clip_") && probe_family(model) == ProbeFamily::kClip)
    return without(model.substr(5), "/");
  return without(model, "/");
}

std::filesystem::path first_existing(const std::filesystem::path& first,
                                     const std::filesystem::path& second) {
  if (std::filesystem::exists(first)) return first;
  if (std::filesystem::exists(second)) return second;
  throw Error{ErrorCode::kNotFound,
              fmt::format("no annotation file here, nor at {}", second.string()),
              first.string()};
}

}  // namespace snellen::tasks
