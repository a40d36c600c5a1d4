// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/processor/geometry.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace snellen::media {
namespace {

struct Size {
  double width = 0;
  double height = 0;
};

Size shortest_edge(const ProcessorConfig& config, double width, double height) {
  const double wanted = config.shortest_edge;
  const double shorter = std::min(width, height);
  const double longer = std::max(width, height);
  double short_side = wanted;
  double exact = wanted;
  if (config.longest_edge && longer / shorter * wanted > *config.longest_edge) {
    exact = *config.longest_edge * shorter / longer;
    short_side = std::nearbyint(exact);
  }
  if (config.longest_edge && shorter == short_side) return {width, height};
  const double long_side = std::trunc(exact * longer / shorter);
  return width <= height ? Size{short_side, long_side} : Size{long_side, short_side};
}

// ViLT and BridgeTower: the cap keeps 1333 to 800, the proportion of their detector ancestors.
Size multiple(const ProcessorConfig& config, double width, double height) {
  const double wanted = config.shortest_edge;
  const double cap = std::trunc(1333.0 / 800.0 * wanted);
  const double scale = wanted / std::min(width, height);
  Size size = height < width ? Size{scale * width, wanted} : Size{wanted, scale * height};
  const double longest = std::max(size.width, size.height);
  if (longest > cap) {
    const double shrink = cap / longest;
    size = {shrink * size.width, shrink * size.height};
  }
  const double divisor = config.size_divisor;
  return {std::floor(std::trunc(size.width + 0.5) / divisor) * divisor,
          std::floor(std::trunc(size.height + 0.5) / divisor) * divisor};
}

Size resized_size(const ProcessorConfig& config, double width, double height) {
  switch (config.resize) {
    case ResizeRule::kNone:
      return {width, height};
    case ResizeRule::kExact:
      return {double(config.width), double(config.height)};
    case ResizeRule::kShortestEdge:
      return shortest_edge(config, width, height);
    case ResizeRule::kMultiple:
      return multiple(config, width, height);
    case ResizeRule::kFitInside: {
      const double ratio = std::max(height / config.height, width / config.width);
      return {std::nearbyint(width / ratio), std::nearbyint(height / ratio)};
    }
  }
  return {};
}

// One axis of the centre crop: what is taken, and where it lands.
struct Cut {
  int first = 0;
  int count = 0;
  int landing = 0;
};

Cut cut_of(CropRule rule, int size, int wanted) {
  if (size < wanted) {
    const int room = wanted - size;
    return {0, size, rule == CropRule::kHuggingFace ? (room + 1) / 2 : room / 2};
  }
  const int margin = size - wanted;
  const int first =
      rule == CropRule::kHuggingFace ? margin / 2 : static_cast<int>(std::nearbyint(margin / 2.0));
  return {first, wanted, 0};
}

}  // namespace

Result<Geometry> geometry_of(const ProcessorConfig& config, int width, int height) {
  constexpr double kMaxSide = 1 << 30;
  constexpr double kMaxPixels = 178'956'970;  // as for decoding
  const Size size = resized_size(config, width, height);
  const bool is_possible = size.width >= 1 && size.height >= 1 && size.width <= kMaxSide &&
                           size.height <= kMaxSide &&
                           (config.is_cropped || size.width * size.height <= kMaxPixels);
  if (!is_possible) {
    return Error{
        ErrorCode::kInvalidInput,
        fmt::format("a {}x{} picture cannot be prepared for this model: it would be resized "
                    "to {}x{}",
                    width,
                    height,
                    size.width,
                    size.height)};
  }
  Geometry geometry;
  geometry.resized_width = static_cast<int>(size.width);
  geometry.resized_height = static_cast<int>(size.height);
  Cut across{0, geometry.resized_width, 0};
  Cut down{0, geometry.resized_height, 0};
  geometry.width = geometry.resized_width;
  geometry.height = geometry.resized_height;
  if (config.is_cropped) {
    geometry.width = config.crop_width;
    geometry.height = config.crop_height;
    across = cut_of(config.crop_rule, geometry.resized_width, config.crop_width);
    down = cut_of(config.crop_rule, geometry.resized_height, config.crop_height);
  }
  geometry.window = {across.first, down.first, across.count, down.count};
  geometry.left = across.landing;
  geometry.top = down.landing;
  return geometry;
}

}  // namespace snellen::media
