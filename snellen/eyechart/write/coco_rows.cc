// SPDX-License-Identifier: Apache-2.0
#include "snellen/eyechart/write/coco_rows.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/annotations/coco/class_table.h"
#include "snellen/base/json_object.h"
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
  JsonValue json;
  uint64_t area = 0;
  media::MaskBox box;
};

Segmentation as_run_lengths(const media::Mask& mask) {
  const media::Rle rle = media::rle_of(mask);
  return {
      python_object({{"counts", rle.counts}, {"size", std::vector<int>{rle.height, rle.width}}}),
      media::area_of(rle),
      media::box_of(rle)};
}

// Empty when too little is visible.
std::optional<Segmentation> as_polygons(const media::Mask& mask) {
  std::vector<std::vector<double>> polygons;
  std::vector<media::Rle> filled;
  for (const auto& outline : outlines_of(mask)) {
    std::vector<double> xy;
    for (const PixelPoint& p : outline) {
      xy.push_back(p.x);
      xy.push_back(p.y);
    }
    auto rle = media::rle_of_polygon(xy, mask.height, mask.width);
    if (!rle || media::area_of(*rle) == 0) continue;
    filled.push_back(*std::move(rle));
    polygons.push_back(std::move(xy));
  }
  if (polygons.empty()) return std::nullopt;
  const media::Rle all = media::merge(filled);
  return Segmentation{polygons, media::area_of(all), media::box_of(all)};
}

}  // namespace

std::string coco_file_name(const std::string& split, uint64_t id) {
  return fmt::format("COCO_{}_{:012d}.jpg", split, id);
}

std::string coco_image_row(const std::string& split, uint64_t id) {
  return python_object({{"license", 1},
                        {"file_name", coco_file_name(split, id)},
                        {"height", kPictureSide},
                        {"width", kPictureSide},
                        {"date_captured", ""},
                        {"id", id}});
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
    const media::MaskBox& box = shape->box;
    rows.push_back(python_object(
        {{"segmentation", shape->json},
         {"area", static_cast<double>(shape->area)},
         {"iscrowd", is_crowd ? 1 : 0},
         {"image_id", scene.id},
         {"bbox", std::vector<double>{1.0 * box.x, 1.0 * box.y, 1.0 * box.width, 1.0 * box.height}},
         {"category_id", *category},
         {"id", scene.id * kRowsPerImage + i}}));
  }
  return rows;
}

std::vector<std::string> coco_caption_rows(const Scene& scene, uint64_t seed) {
  std::vector<std::string> rows;
  for (const std::string& caption : captions_of(scene, seed)) {
    rows.push_back(python_object({{"image_id", scene.id},
                                  {"id", scene.id * kRowsPerImage + rows.size()},
                                  {"caption", caption}}));
  }
  return rows;
}

std::string coco_head() {
  const JsonText info =
      python_object({{"description", "The eyechart: rendered scenes in the form of COCO 2014"},
                     {"version", "1.0"},
                     {"year", 2014},
                     {"contributor", "Snellen"}});
  const JsonText license = python_object({{"id", 1},
                                          {"name", "Apache License 2.0"},
                                          {"url", "https://www.apache.org/licenses/LICENSE-2.0"}});
  return fmt::format(
      "{{\"info\": {},\n\"licenses\": [{}],\n\"images\": [\n", info.text, license.text);
}

std::string coco_captions_tail() {
  return "\n]}\n";
}

std::string coco_instances_tail() {
  const auto table = annotations::ClassTable::coco();
  std::string tail = "\n],\n\"categories\": [";
  for (size_t i = 0; i < table.size(); ++i) {
    tail += i == 0 ? "\n" : ",\n";
    tail += python_object({{"supercategory", annotations::object_category(table[i].name)},
                           {"id", category_id_at(i)},
                           {"name", table[i].name}})
                .text;
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
