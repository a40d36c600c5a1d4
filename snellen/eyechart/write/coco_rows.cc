// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/coco_rows.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/base/python_json.h"
#include "snellen/eyechart/draw/outline.h"
#include "snellen/eyechart/world/captions.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/media/masks/polygon.h"

namespace snellen::eyechart {
namespace {

// Ids between 1 and 90 that COCO never used.
constexpr std::array kGaps = {12, 26, 29, 30, 45, 66, 68, 69, 71, 83};
constexpr uint64_t kRowsPerImage = 10;  // annotation ids are image id * 10 + place

int category_id_at(size_t place) {
  int id = 0;
  for (size_t i = 0; i <= place; ++i) {
    ++id;
    while (std::find(kGaps.begin(), kGaps.end(), id) != kGaps.end()) ++id;
  }
  return id;
}

struct Segmentation {
  std::string json;
  uint64_t area = 0;
  media::MaskBox box;
};

Segmentation as_run_lengths(const media::Mask& mask) {
  const media::Rle rle = media::rle_of(mask);
  return {fmt::format("{{\"counts\": [{}], \"size\": [{}, {}]}}",
                      fmt::join(rle.counts, ", "),
                      rle.height,
                      rle.width),
          media::area_of(rle),
          media::box_of(rle)};
}

// Empty when too little is visible.
std::optional<Segmentation> as_polygons(const media::Mask& mask) {
  std::vector<std::string> polygons;
  std::vector<media::Rle> filled;
  for (const auto& outline : outlines_of(mask)) {
    std::vector<double> xy;
    std::string text;
    for (const PixelPoint& p : outline) {
      xy.push_back(p.x);
      xy.push_back(p.y);
      text += fmt::format("{}{}.0, {}.0", text.empty() ? "" : ", ", p.x, p.y);
    }
    auto rle = media::rle_of_polygon(xy, mask.height, mask.width);
    if (!rle || media::area_of(*rle) == 0) continue;
    filled.push_back(*std::move(rle));
    polygons.push_back(fmt::format("[{}]", text));
  }
  if (polygons.empty()) return std::nullopt;
  const media::Rle all = media::merge(filled);
  return Segmentation{
      fmt::format("[{}]", fmt::join(polygons, ", ")), media::area_of(all), media::box_of(all)};
}

}  // namespace

std::string coco_file_name(const std::string& split, uint64_t id) {
  return fmt::format("COCO_{}_{:012d}.jpg", split, id);
}

std::string coco_image_row(const std::string& split, uint64_t id) {
  return fmt::format(
      "{{\"license\": 1, \"file_name\": \"{}\", \"height\": {}, \"width\": {}, \"date_captured\": "
      "\"\", \"id\": {}}}",
      coco_file_name(split, id),
      kPictureSide,
      kPictureSide,
      id);
}

std::vector<std::string> coco_instance_rows(const Scene& scene, const Picture& picture) {
  std::vector<std::string> rows;
  for (size_t i = 0; i < scene.things.size(); ++i) {
    const Thing& thing = scene.things[i];
    const auto category = coco_category_id(nouns()[thing.noun].name);
    if (!category || media::area_of(picture.visible[i]) == 0) continue;
    const bool is_crowd = thing.copies > 1;
    const auto shape =
        is_crowd ? as_run_lengths(picture.visible[i]) : as_polygons(picture.visible[i]);
    if (!shape) continue;
    rows.push_back(
        fmt::format("{{\"segmentation\": {}, \"area\": {}.0, \"iscrowd\": {}, \"image_id\": {}, "
                    "\"bbox\": [{}.0, {}.0, {}.0, {}.0], "
                    "\"category_id\": {}, \"id\": {}}}",
                    shape->json,
                    shape->area,
                    is_crowd ? 1 : 0,
                    scene.id,
                    shape->box.x,
                    shape->box.y,
                    shape->box.width,
                    shape->box.height,
                    *category,
                    scene.id * kRowsPerImage + i));
  }
  return rows;
}

std::vector<std::string> coco_caption_rows(const Scene& scene, uint64_t seed) {
  std::vector<std::string> rows;
  for (const std::string& caption : captions_of(scene, seed)) {
    rows.push_back(fmt::format("{{\"image_id\": {}, \"id\": {}, \"caption\": {}}}",
                               scene.id,
                               scene.id * kRowsPerImage + rows.size(),
                               python_string(caption)));
  }
  return rows;
}

std::string coco_head() {
  return "{\"info\": {\"description\": \"The eyechart: rendered scenes in the form of COCO 2014\", "
         "\"version\": "
         "\"1.0\", \"year\": 2014, \"contributor\": \"Snellen\"},\n\"licenses\": [{\"id\": 1, "
         "\"name\": \"Apache "
         "License 2.0\", \"url\": \"https://www.apache.org/licenses/LICENSE-2.0\"}],\n\"images\": "
         "[\n";
}

std::string coco_captions_tail() {
  return "\n]}\n";
}

std::string coco_instances_tail() {
  const auto table = annotations::ClassTable::coco();
  std::string tail = "\n],\n\"categories\": [";
  for (size_t i = 0; i < table.size(); ++i) {
    tail += fmt::format("{}\n{{\"supercategory\": {}, \"id\": {}, \"name\": {}}}",
                        i == 0 ? "" : ",",
                        python_string(annotations::object_category(table[i].name)),
                        category_id_at(i),
                        python_string(table[i].name));
  }
  return tail + "\n]}\n";
}

std::optional<int> coco_category_id(std::string_view noun) {
  static const annotations::ClassTable kTable = annotations::ClassTable::coco();
  const auto place = kTable.find(noun);
  if (!place) return std::nullopt;
  return category_id_at(*place);
}

}  // namespace snellen::eyechart
