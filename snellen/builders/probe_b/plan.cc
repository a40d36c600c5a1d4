// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/annotations/probe/probe_files.h"
#include "snellen/base/json_object.h"
#include "snellen/media/masks/mask.h"
#include "snellen/media/masks/segmentation.h"

namespace snellen::builders::probe_b {
namespace {

using annotations::CocoInstance;

// A region given by run lengths that marks nothing is a damaged record; a polygon may be too small
// or too far outside to cover a pixel, as COCO's own are.
bool is_run_length(const CocoInstance& instance) {
  return instance.segmentation.starts_with('{');
}

Result<media::Rle> mask_of(const CocoInstance& instance,
                           const annotations::CocoImage& image,
                           const std::string& where) {
  Result<media::Rle> mask =
      media::rle_of_segmentation(instance.segmentation, image.height, image.width);
  if (!mask) return mask.error().within(fmt::format("{}: annotation {}", where, instance.id));
  if (is_run_length(instance) && media::area_of(*mask) == 0) {
    return Error{ErrorCode::kInvalidInput,
                 fmt::format("the run lengths of annotation {} mark no pixel", instance.id),
                 where,
                 "fix the record"};
  }
  return mask;
}

PlannedClass& class_named(std::vector<PlannedClass>& classes, const std::string& name) {
  for (PlannedClass& one : classes) {
    if (one.name == name) return one;
  }
  classes.push_back({.name = name, .instances = {}, .mask = {}});
  return classes.back();
}

bool do_overlap(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  double width = std::min(a[0] + a[2], b[0] + b[2]) - std::max(a[0], b[0]);
  double height = std::min(a[1] + a[3], b[1] + b[3]) - std::max(a[1], b[1]);
  return width > 0 && height > 0;
}

// Whether no box of the class overlaps a box of another.
bool stands_apart(const ImagePlan& plan, const PlannedClass& one) {
  for (const PlannedClass& other : plan.classes) {
    if (&other == &one) continue;
    for (size_t i : one.instances) {
      for (size_t j : other.instances) {
        if (do_overlap(plan.instances[i].box, plan.instances[j].box)) return false;
      }
    }
  }
  return true;
}

void add_instances(ImagePlan& plan, const annotations::CocoInstances& instances, size_t image) {
  std::vector<media::Rle> masks;
  for (uint32_t position : instances.instances_of(image)) {
    Result<CocoInstance> instance = instances.instance(position);
    if (!instance) {
      plan.bad_records.push_back(instance.error());
      continue;
    }
    Result<media::Rle> mask = mask_of(*instance, plan.image, instances.where(position));
    if (!mask) {
      plan.bad_records.push_back(mask.error());
      continue;
    }
    class_named(plan.classes, *instances.category(instance->category_id))
        .instances.push_back(plan.instances.size());
    plan.instances.push_back(std::move(instance).value());
    masks.push_back(std::move(mask).value());
  }
  std::vector<media::Rle> united;
  for (PlannedClass& one : plan.classes) {
    std::vector<media::Rle> parts;
    for (size_t i : one.instances) parts.push_back(masks[i]);
    one.mask = media::merge(parts);
    united.push_back(one.mask);
  }
  if (!united.empty()) plan.objects = media::merge(united);
}

}  // namespace

std::string ImagePlan::file_name() const {
  return annotations::coco_val2014_name(std::to_string(image.id));
}

std::string ImagePlan::file_name_alone(const PlannedClass& one) const {
  return fmt::format("{}_{}", one.name, file_name());
}

ImagePlan plan_image(const annotations::CocoInstances& instances,
                     size_t image,
                     const PlanOptions& options) {
  ImagePlan plan;
  plan.image = instances.images()[image];
  add_instances(plan, instances, image);
  if (plan.classes.empty()) {
    plan.skip = "no annotations";
    return plan;
  }
  double num_pixels = static_cast<double>(plan.image.width) * plan.image.height;
  if (1 - static_cast<double>(media::area_of(plan.objects)) / num_pixels < options.min_background) {
    plan.skip = "background too small";
    return plan;
  }
  plan.patch =
      media::draw_patch(media::mask_of(plan.objects),
                        Rng(fmt::format("{}|probe-b-patch|{}", options.seed, plan.image.id)),
                        options.patch_scales);
  if (!plan.patch) {
    plan.skip = "no patch position";
    return plan;
  }
  if (plan.classes.size() < 2) return plan;
  for (PlannedClass& one : plan.classes) {
    double share = static_cast<double>(media::area_of(one.mask)) / num_pixels;
    one.is_alone = share >= options.min_object_area && share <= options.max_object_area &&
                   stands_apart(plan, one);
  }
  return plan;
}

std::string background_json(const ImagePlan& plan) {
  JsonObject annotations;
  for (const PlannedClass& one : plan.classes) {
    std::vector<JsonText> instances;
    for (size_t i : one.instances) instances.push_back({plan.instances[i].json});
    annotations.add({{one.name, instances}});
  }
  return python_object({{"image_id", plan.image.id},
                        {"image", plan.file_name()},
                        {"annotations", std::move(annotations)}});
}

std::string cooccurrence_json(const ImagePlan& plan) {
  std::string out;
  for (const PlannedClass& one : plan.classes) {
    if (!one.is_alone) continue;
    if (!out.empty()) out += ", ";
    std::vector<std::string> others;
    for (const PlannedClass& other : plan.classes) {
      if (&other != &one) others.push_back(other.name);
    }
    out += python_object({{"image_id", plan.image.id},
                          {"object", one.name},
                          {"other_objects", others},
                          {"path", plan.file_name_alone(one)}})
               .text;
  }
  return out;
}

}  // namespace snellen::builders::probe_b
