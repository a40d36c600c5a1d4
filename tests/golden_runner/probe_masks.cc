// SPDX-License-Identifier: Apache-2.0
#include "tests/golden_runner/probe_masks.h"

#include <map>

#include "snellen/media/masks/composite.h"
#include "snellen/media/masks/fillers.h"
#include "snellen/media/masks/patch.h"
#include "snellen/media/masks/polygon.h"
#include "snellen/media/masks/segmentation.h"
#include "tests/golden_runner/probe_construct.h"

namespace snellen::golden {
namespace {

media::Image image_of(const Json& rows) {
  media::Image image =
      media::Image::blank(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  size_t i = 0;
  for (const Json& row : rows) {
    for (const Json& pixel : row) {
      for (const Json& value : pixel) image.pixels.at(i++) = value;
    }
  }
  return image;
}

std::vector<std::string> rows_of(const media::Mask& mask) {
  std::vector<std::string> rows;
  for (int y = 0; y < mask.height; ++y) {
    std::string row;
    for (uint8_t bit : mask.row(y)) row.push_back(bit != 0 ? '#' : '.');
    rows.push_back(row);
  }
  return rows;
}

// Each image's united annotations, its patch and why it is left out.
void check_images(const Json& json, Tally& tally) {
  const Json& params = json["params"];
  for (const Json& image : json["instances"]["images"]) {
    std::string id = image["id"].dump();
    const Json& want = json["per_image"][id];
    tally.start("image " + id);
    std::vector<media::Rle> parts;
    for (const Json& annotation : json["instances"]["annotations"]) {
      if (annotation["image_id"] != image["id"]) continue;
      parts.push_back(media::rle_of_segmentation(
                          annotation["segmentation"].dump(), image["height"], image["width"])
                          .value());
    }
    std::string skip;
    if (parts.empty()) {
      skip = "no annotations";
    } else {
      media::Rle objects = media::merge(parts);
      uint64_t area = media::area_of(objects);
      tally.expect(area == want["union_area"].get<uint64_t>(), "union_area");
      double num_pixels = image["width"].get<double>() * image["height"].get<double>();
      std::vector<double> scales = params["patch_scales"];
      std::string key = params["seed"].dump() + "|probe-b-patch|" + id;
      std::optional<media::Patch> patch =
          media::draw_patch(media::mask_of(objects), Rng(key), scales);
      if (1 - static_cast<double>(area) / num_pixels < params["min_background"].get<double>()) {
        skip = "background too small";
      } else if (!patch) {
        skip = "no patch position";
      } else {
        const media::PatchPlace& place = patch->place;
        tally.expect(patch->num_positions == want["valid_positions"].get<uint64_t>(),
                     "valid_positions");
        tally.expect(Json({place.x, place.y, place.width, place.height}) == want["patch_xywh"],
                     "patch_xywh");
      }
    }
    tally.expect(skip == want.value("skip", ""), "skip: " + skip);
  }
}

void check_composites(const Json& composite, Tally& tally) {
  media::Image picture = image_of(composite["image"]);
  media::Mask mask = media::Mask::blank(picture.width, picture.height);
  size_t i = 0;
  for (const Json& row : composite["object_mask"]) {
    for (const Json& bit : row) mask.bits.at(i++) = bit;
  }
  const Json& xywh = composite["patch_xywh"];
  media::PatchPlace place{.x = xywh[0], .y = xywh[1], .width = xywh[2], .height = xywh[3]};
  std::map<std::string, media::Image> canvases = {
      {"black", media::solid_canvas(picture.width, picture.height, 0)},
      {"gray", media::solid_canvas(picture.width, picture.height, media::kGrayFill)},
      {"scene", image_of(composite["scene_same_size"])}};
  for (const auto& [filler, want] : composite["expected"].items()) {
    tally.start("composite " + filler);
    const media::Image& canvas = canvases.at(filler);
    tally.expect(media::keep_marked(picture, mask, canvas) == image_of(want["background_removed"]),
                 "background_removed");
    tally.expect(media::paste_patch(picture, place, canvas) == image_of(want["patched"]),
                 "patched");
  }
}

}  // namespace

void check_mask(const Context& context, Tally& tally) {
  Json json = context.json();
  for (const Json& one : json["cases"]) {
    tally.start(one["polygon"].dump());
    std::vector<double> polygon = one["polygon"];
    media::Rle rle = media::rle_of_polygon(polygon, one["h"], one["w"]).value();
    tally.expect(rle.counts == one["counts"].get<std::vector<uint32_t>>(), "counts");
    std::string compressed = one["compressed"];
    tally.expect(media::string_of(rle) == compressed, "compressed");
    tally.expect(media::rle_of_string(compressed, one["h"], one["w"]).value() == rle,
                 "compressed, read back");
    tally.expect(media::area_of(rle) == one["area"].get<uint64_t>(), "area");
    media::Mask mask = media::mask_of(rle);
    tally.expect(rows_of(mask) == one["rows"].get<std::vector<std::string>>(), "rows");
    tally.expect(media::rle_of(mask) == rle, "rows, encoded again");
  }
}

void check_construct_b(const Context& context, Tally& tally) {
  Json json = context.json();
  check_images(json, tally);
  const Json& noise = json["noise_first_pixels"];
  tally.start("noise");
  std::string key = json["params"]["seed"].dump() + "|probe-b-noise|" + noise["image_id"].dump();
  tally.expect(media::noise_canvas(noise["w"], noise["h"], Rng(key)) == image_of(noise["rgb"]),
               "noise_first_pixels");
  check_composites(json["composite"], tally);
  check_groups_b(json, tally);
}

}  // namespace snellen::golden
