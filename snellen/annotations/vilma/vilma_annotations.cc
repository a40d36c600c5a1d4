// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_annotations.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace snellen::annotations {
namespace {

struct Known {
  std::string_view name;  // how the file's stem, the item's phenomenon or its id begins
  std::string_view task;
  std::string_view subtask;
};

constexpr std::array<Known, 11> kFileNames = {{
    {"counting-easy", "action_counting", "counting-easy"},
    {"counting-hard", "action_counting", "counting-hard"},
    {"SRL_Action_Replacement", "situation_awareness", "action-replacement"},
    {"SRL_Actor_Swapping", "situation_awareness", "actor-swapping"},
    {"change-state-action", "change_of_state", "change-state-action"},
    {"change-state-prestate", "change_of_state", "change-state-prestate"},
    {"change-state-poststate", "change_of_state", "change-state-poststate"},
    {"change-state-inverse", "change_of_state", "change-state-inverse"},
    {"rare-actions-verb", "rare_actions", "rare-actions-verb"},
    {"rare-actions-noun", "rare_actions", "rare-actions-noun"},
    {"relations", "spatial_relations", "relations"},
}};

constexpr std::array<Known, 9> kIds = {{
    {"counting-easy", "action_counting", "counting-easy"},
    {"counting-hard", "action_counting", "counting-hard"},
    {"counting-", "action_counting", "counting"},
    {"change-state-action", "change_of_state", "change-state-action"},
    {"change-state-prestate", "change_of_state", "change-state-prestate"},
    {"change-state-poststate", "change_of_state", "change-state-poststate"},
    {"change-state-inverse", "change_of_state", "change-state-inverse"},
    {"actions-verb", "rare_actions", "rare-actions-verb"},
    {"actions-noun", "rare_actions", "rare-actions-noun"},
}};

constexpr std::array<Known, 5> kPhenomena = {{
    {"action_replacement", "situation_awareness", "action-replacement"},
    {"actor_swapping", "situation_awareness", "actor-swapping"},
    {"change-of-state", "change_of_state", "change-state"},
    {"actions", "rare_actions", "rare-actions"},
    {"spatial-relations", "spatial_relations", "relations"},
}};

const Known* find_beginning(std::span<const Known> known, std::string_view name) {
  const auto found = std::find_if(
      known.begin(), known.end(), [&](const Known& one) { return name.starts_with(one.name); });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

VilmaAnnotations::VilmaAnnotations(std::span<const std::filesystem::path> files) {
  files_.reserve(files.size());
  for (const std::filesystem::path& path : files) {
    const formats::JsonElements& file = files_.emplace_back(path);
    if (!file.is_object()) {
      throw Error{ErrorCode::kInvalidInput,
                  "is a list, expected an object of items by id",
                  path.string(),
                  "give a ViLMA annotation file"};
    }
    for (size_t element = 0; element < file.size(); ++element)
      places_.push_back({files_.size() - 1, element});
  }
  auto id_of = [&](const Place& place) { return files_[place.file].key(place.element); };
  std::stable_sort(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
    return id_of(a) < id_of(b);
  });
  const auto twin =
      std::adjacent_find(places_.begin(), places_.end(), [&](const Place& a, const Place& b) {
        return id_of(a) == id_of(b);
      });
  if (twin == places_.end()) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("item '{}' is in {} and again in {}",
                          id_of(*twin),
                          files_[twin->file].path().string(),
                          files_[(twin + 1)->file].path().string()),
              "annotations",
              "the union needs disjoint ids: evaluate the files one by one"};
}

std::string_view VilmaAnnotations::id(size_t index) const {
  const Place& place = places_.at(index);
  return files_[place.file].key(place.element);
}

std::string VilmaAnnotations::where(size_t index) const {
  const Place& place = places_.at(index);
  return files_[place.file].where(place.element);
}

Result<VilmaItem> VilmaAnnotations::item(size_t index) const {
  const Place& place = places_.at(index);
  return parse_vilma_item(id(index), files_[place.file].element(place.element), where(index));
}

std::vector<std::string_view> vilma_file_names() {
  std::vector<std::string_view> names;
  for (const Known& known : kFileNames) names.push_back(known.name);
  return names;
}

std::optional<VilmaPlace> vilma_place_of(const std::filesystem::path& file,
                                         const VilmaItem& first_item) {
  const Known* known = find_beginning(kFileNames, file.stem().string());
  if (known == nullptr) known = find_beginning(kIds, first_item.id);
  if (known == nullptr) known = find_beginning(kPhenomena, first_item.phenomenon);
  if (known == nullptr) return std::nullopt;
  return VilmaPlace{std::string(known->task), std::string(known->subtask)};
}

}  // namespace snellen::annotations
