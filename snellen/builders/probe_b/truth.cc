// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/truth.h"

#include <algorithm>
#include <charconv>

#include "snellen/media/masks/segmentation.h"

namespace snellen::builders::probe_b {
namespace {

using annotations::CocoInstance;
using media::Mask;

// Blanks before it are passed over.
double number_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

Truth truth_of(const annotations::CocoInstances& source, size_t index) {
  Truth truth;
  truth.image = source.images()[index];
  truth.objects = Mask::blank(truth.image.width, truth.image.height);
  for (uint32_t position : source.instances_of(index)) {
    Result<CocoInstance> instance = source.instance(position);
    if (!instance) continue;
    Result<media::Rle> rle =
        media::rle_of_segmentation(instance->segmentation, truth.image.height, truth.image.width);
    bool is_empty_region =
        rle && instance->segmentation.starts_with('{') && media::area_of(*rle) == 0;
    if (!rle || is_empty_region) continue;
    std::string name = *source.category(instance->category_id);
    if (!truth.instances.contains(name)) {
      truth.classes.push_back(name);
      truth.masks[name] = Mask::blank(truth.image.width, truth.image.height);
    }
    Mask mask = media::mask_of(*rle);
    Mask& of_class = truth.masks[name];
    for (size_t i = 0; i < mask.bits.size(); ++i) {
      of_class.bits[i] |= mask.bits[i];
      truth.objects.bits[i] |= mask.bits[i];
    }
    truth.instances[name].push_back(std::move(instance).value());
  }
  return truth;
}

Rules rules_of(const builders::BuildRecord& record) {
  Rules rules;
  std::string seed = record.option("seed");
  std::from_chars(seed.data(), seed.data() + seed.size(), rules.seed);
  rules.scales = numbers_in(record.option("patch-scales"));
  rules.min_background = number_of(record.option("min-background"));
  rules.min_area = number_of(record.option("min-object-area"));
  rules.max_area = number_of(record.option("max-object-area"));
  for (const std::string& name : parts_of(record.option("fill-type")))
    rules.fillers.push_back(media::filler_of(name).value());
  rules.format = record.option("format") == "png" ? PictureFormat::kPng : PictureFormat::kJpeg;
  return rules;
}

std::vector<double> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string& part : parts_of(std::string(text))) numbers.push_back(number_of(part));
  return numbers;
}

}  // namespace snellen::builders::probe_b
