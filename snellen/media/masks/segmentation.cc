// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/masks/segmentation.h"

#include <simdjson.h>

#include "snellen/formats/json_memory.h"
#include "snellen/media/masks/polygon.h"

namespace snellen::media {
namespace {

namespace dom = simdjson::dom;

Error segmentation_error(std::string what) {
  return Error{ErrorCode::kInvalidInput,
               std::move(what),
               "segmentation",
               "expected a list of polygons, or {\"size\": [h, w], \"counts\": list or string}"};
}

Result<Rle> from_polygons(dom::array polygons,
                          int64_t height,
                          int64_t width,
                          const MaskLimits& limits) {
  RleMerger parts;
  size_t number = 0;
  std::vector<double> xy;
  for (dom::element polygon : polygons) {
    dom::array coordinates;
    if (polygon.get(coordinates) != simdjson::SUCCESS)
      return segmentation_error(fmt::format("polygon {} is not a list", number));
    xy.clear();
    for (dom::element coordinate : coordinates) {
      double value = 0;
      if (coordinate.get(value) != simdjson::SUCCESS)
        return segmentation_error(
            fmt::format("polygon {} holds a value that is not a number", number));
      xy.push_back(value);
    }
    ++number;
    if (xy.size() < 6) continue;
    Result<Rle> part = rle_of_polygon(xy, height, width, limits);
    if (!part) return part.error();
    parts.add(std::move(part).value());
  }
  if (std::optional<Rle> united = parts.take()) return *std::move(united);
  Result<uint64_t> pixels = checked_mask_pixels(height, width, limits);
  if (!pixels) return pixels.error();
  return blank_rle(static_cast<int>(height), static_cast<int>(width));
}

Result<Rle> from_runs(dom::object object, int64_t height, int64_t width, const MaskLimits& limits) {
  int64_t h = 0;
  int64_t w = 0;
  dom::array size;
  if (object["size"].get(size) != simdjson::SUCCESS || size.size() != 2 ||
      size.at(0).get(h) != simdjson::SUCCESS || size.at(1).get(w) != simdjson::SUCCESS)
    return segmentation_error("'size' is not [height, width]");
  if (h != height || w != width)
    return segmentation_error(
        fmt::format("'size' is [{}, {}], the picture's is [{}, {}]", h, w, height, width));
  std::string_view text;
  if (object["counts"].get(text) == simdjson::SUCCESS) return rle_of_string(text, h, w, limits);
  dom::array list;
  if (object["counts"].get(list) != simdjson::SUCCESS)
    return segmentation_error("'counts' is neither a list nor a string");
  std::vector<uint64_t> counts;
  for (dom::element element : list) {
    uint64_t count = 0;
    if (element.get(count) != simdjson::SUCCESS)
      return segmentation_error(
          fmt::format("count {} is not a whole number from 0 on", counts.size()));
    counts.push_back(count);
  }
  return rle_of_counts(counts, h, w, limits);
}

}  // namespace

Result<Rle> rle_of_segmentation(std::string_view json,
                                int64_t height,
                                int64_t width,
                                const MaskLimits& limits) {
  dom::parser parser;
  dom::element root;
  simdjson::error_code code = parser.parse(json.data(), json.size()).get(root);
  formats::expect_memory(code);
  if (code != simdjson::SUCCESS)
    return segmentation_error(fmt::format("not JSON: {}", simdjson::error_message(code)));
  dom::array polygons;
  if (root.get(polygons) == simdjson::SUCCESS)
    return from_polygons(polygons, height, width, limits);
  dom::object object;
  if (root.get(object) == simdjson::SUCCESS) return from_runs(object, height, width, limits);
  return segmentation_error("neither a list nor an object");
}

}  // namespace snellen::media
