// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/file/visual_name.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace snellen::tasks::file {
namespace {

std::string shown(const std::optional<double>& bound) {
  return bound ? fmt::format("{}", *bound) : "";
}

std::optional<double> bound_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::array<int32_t, 4> box_of(std::string_view text) {
  std::array<int32_t, 4> box{};
  const char* at = text.data();
  for (int32_t& side : box) at = std::from_chars(at, text.data() + text.size(), side).ptr + 1;
  return box;
}

}  // namespace

std::string visual_name(const annotations::ItemVisual& visual) {
  std::string name = visual.path;
  if (visual.is_clip)
    name += fmt::format(
        "\t{}={},{}", visual.counts_frames ? 'f' : 't', shown(visual.start), shown(visual.end));
  if (visual.crop) name += fmt::format("\tb={}", fmt::join(*visual.crop, ","));
  if (!visual.corruption.empty()) name += "\tc=" + visual.corruption;
  if (visual.replicate > 0) name += fmt::format("\tr={}", visual.replicate);
  return name;
}

annotations::ItemVisual visual_of_name(std::string_view name) {
  annotations::ItemVisual visual;
  size_t end = std::min(name.find('\t'), name.size());
  visual.path = name.substr(0, end);
  while (end < name.size()) {
    std::string_view rest = name.substr(end + 1);
    std::string_view piece = rest.substr(0, rest.find('\t'));
    end += 1 + piece.size();
    std::string_view value = piece.substr(2);
    if (piece[0] == 'b') visual.crop = box_of(value);
    if (piece[0] == 'c') visual.corruption = value;
    if (piece[0] == 'r') visual.replicate = static_cast<uint64_t>(*bound_of(value));
    if (piece[0] != 't' && piece[0] != 'f') continue;
    visual.is_clip = true;
    visual.counts_frames = piece[0] == 'f';
    size_t comma = value.find(',');
    visual.start = bound_of(value.substr(0, comma));
    visual.end = bound_of(value.substr(comma + 1));
  }
  return visual;
}

}  // namespace snellen::tasks::file
