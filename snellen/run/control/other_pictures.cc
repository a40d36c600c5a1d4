// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/control/other_pictures.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/media/corruptions/mismatch.h"

namespace snellen::run {

ContentKey OtherPictures::group_of(const tasks::Item& item, uint32_t part) const {
  const std::string_view shared =
      item.clusters.empty() ? item.visuals.front().shard_key() : item.clusters.front();
  return content_key(fmt::format("{}\n{}\n{}", part, in_category_ ? item.category : "", shared));
}

ContentKey OtherPictures::picture_of(const tasks::Item& item, uint32_t part) const {
  const ContentKey group = group_of(item, part);
  return content_key(item.visuals.front().shard_key(), group.low ^ group.high);
}

Result<OtherPictures> OtherPictures::of(const Request& request) {
  OtherPictures others(request.in_category);
  uint64_t begin = 0;
  for (uint32_t part = 0; part < request.task.parts.size(); ++part) {
    const uint64_t all = request.task.parts[part].num_items;
    const uint64_t count = request.limit > 0 ? std::min(request.limit, all) : all;
    DistinctIds groups;
    std::vector<std::vector<uint64_t>> firsts;  // by group: the first item of each picture
    struct Picture {
      uint32_t group;
      size_t number;
    };
    std::vector<Picture> pictures;
    std::vector<std::string> categories;  // by group
    for (uint64_t position = begin; position < begin + count; ++position) {
      const Result<tasks::Item> item = request.task.task->item(position);
      if (!item || item->visuals.empty()) continue;
      const auto [group, is_new_group] = groups.add(others.group_of(*item, part));
      if (is_new_group) {
        firsts.emplace_back();
        if (request.in_category) categories.push_back(item->category);
      }
      if (!others.pictures_.add(others.picture_of(*item, part)).is_new) continue;
      pictures.push_back({group, firsts[group].size()});
      firsts[group].push_back(position);
    }
    const Result<std::vector<size_t>> shown =
        request.in_category ? media::mismatched_in_category(categories, request.seed)
                            : media::mismatched(firsts.size(), request.seed);
    if (!shown) return shown.error().within(request.task.parts[part].name);
    for (const Picture& picture : pictures) {
      const std::vector<uint64_t>& other = firsts[(*shown)[picture.group]];
      others.positions_.push_back(other[picture.number % other.size()]);
    }
    begin += all;
    others.part_ends_.push_back(begin);
  }
  return others;
}

std::optional<uint64_t> OtherPictures::shown_at(uint64_t position, const tasks::Item& item) const {
  if (item.visuals.empty()) return std::nullopt;
  const auto end = std::upper_bound(part_ends_.begin(), part_ends_.end(), position);
  const auto part = static_cast<uint32_t>(end - part_ends_.begin());
  const uint32_t picture = pictures_.find(picture_of(item, part));
  if (picture == DistinctIds::kAbsent) return std::nullopt;
  return positions_[picture];
}

}  // namespace snellen::run
