// SPDX-License-Identifier: Apache-2.0
// Scenes as COCO writes them (docs/spec/probe.md 6.3, 6.4): instances with polygons of what is
// visible, crowds as run lengths, five captions an image.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snellen/eyechart/world/render.h"
#include "snellen/eyechart/world/scene.h"

namespace snellen::eyechart {

// "COCO_val2014_000000000042.jpg".
std::string coco_file_name(const std::string& split, uint64_t id);
// An element of "images".
std::string coco_image_row(const std::string& split, uint64_t id);

// Elements of "annotations": one for each thing that COCO has a class for and of which enough is
// visible.
std::vector<std::string> coco_instance_rows(const Scene& scene, const Picture& picture);
std::vector<std::string> coco_caption_rows(const Scene& scene, uint64_t seed);

// What surrounds the images and annotations of both kinds of files.
std::string coco_head();
std::string coco_instances_tail();
std::string coco_captions_tail();

// COCO's category id, 1 to 90 with gaps; nothing for a noun that is not COCO's.
std::optional<int> coco_category_id(std::string_view noun);

}  // namespace snellen::eyechart
