// SPDX-License-Identifier: Apache-2.0
// What a checker of Probe-B knows: the sources as sets of pixels, and the rules of a build.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "snellen/annotations/coco/coco_instances.h"
#include "snellen/builders/build_record.h"
#include "snellen/builders/probe_b/pictures.h"
#include "snellen/media/masks/fillers.h"
#include "snellen/media/masks/mask.h"

namespace snellen::builders::probe_b {

// What the sources say of one image: pixel sets, no run lengths.
struct Truth {
  annotations::CocoImage image;
  std::vector<std::string> classes;  // in order of first appearance
  std::map<std::string, std::vector<annotations::CocoInstance>> instances;
  std::map<std::string, media::Mask> masks;
  media::Mask objects;
};

// Pixels are united one by one, not run by run as the builder does it.
Truth truth_of(const annotations::CocoInstances& source, size_t index);

struct Rules {
  uint64_t seed = 0;
  std::vector<double> scales;
  double min_background = 0.05;
  double min_area = 0.02;
  double max_area = 0.5;
  std::vector<media::Filler> fillers;
  PictureFormat format = PictureFormat::kJpeg;
};

Rules rules_of(const builders::BuildRecord& record);

// "1,2.5" -> 1, 2.5
std::vector<double> numbers_in(std::string_view text);

}  // namespace snellen::builders::probe_b
