// SPDX-License-Identifier: Apache-2.0
// What Probe-B makes of one COCO image (docs/spec/probe.md 6.4-6.6), before any pixel is touched.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "snellen/annotations/coco/coco_instances.h"
#include "snellen/media/masks/patch.h"
#include "snellen/media/masks/rle.h"

namespace snellen::builders::probe_b {

struct PlanOptions {
  uint64_t seed = 0;
  std::vector<double> patch_scales = {media::kPatchScales.begin(), media::kPatchScales.end()};
  double min_background = 0.05;   // share of the picture that no object covers
  double min_object_area = 0.02;  // share of the picture, of a class shown alone
  double max_object_area = 0.5;
};

struct PlannedClass {
  std::string name;
  std::vector<size_t> instances;  // places in ImagePlan::instances
  media::Rle mask;                // all of them united, crowds included
  bool is_alone = false;          // shown alone: a group of Probe-B_R
};

struct ImagePlan {
  annotations::CocoImage image;
  std::vector<annotations::CocoInstance> instances;  // file order
  std::vector<PlannedClass> classes;                 // in order of first appearance
  media::Rle objects;                                // all classes united
  std::optional<media::Patch> patch;
  std::string skip;  // why the image is not used; empty when it is
  std::vector<Error> bad_records;

  // "COCO_val2014_000000000042.jpg", and "dog_COCO_val2014_..." for a class alone.
  std::string file_name() const;
  std::string file_name_alone(const PlannedClass& one) const;
};

// Bad annotations are left out and named in bad_records. Safe from many threads.
ImagePlan plan_image(const annotations::CocoInstances& instances,
                     size_t image,
                     const PlanOptions& options);

// The image's entries of background_context_dataset.json and object_context_dataset.json, as
// Python's json writes them; the second joined by ", ", empty where no class is shown alone.
std::string background_json(const ImagePlan& plan);
std::string cooccurrence_json(const ImagePlan& plan);

}  // namespace snellen::builders::probe_b
