// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/probe_b/image_check.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/base/rng.h"
#include "snellen/builders/probe_b/picture_check.h"
#include "snellen/builders/probe_b/pictures.h"
#include "snellen/media/codecs/decode.h"

namespace snellen::builders::probe_b {
namespace {

namespace fs = std::filesystem;
using annotations::CocoInstance;
using media::Mask;

double share_of(const Mask& mask) {
  return static_cast<double>(media::area_of(mask)) / static_cast<double>(mask.bits.size());
}

}  // namespace

void ImageCheck::check_background(const annotations::BackgroundGroup& group,
                                  std::string_view json) {
  where_ = fmt::format("background_context_dataset.json: image {}", group.image_id);
  std::string name = annotations::coco_val2014_name(std::to_string(group.image_id));
  if (group.image != name) add("image-name", fmt::format("'{}', expected '{}'", group.image, name));
  if (group.classes != truth_.classes) {
    add("classes",
        fmt::format("[{}], the source has [{}]",
                    fmt::join(group.classes, ", "),
                    fmt::join(truth_.classes, ", ")));
  } else {
    check_annotations(json);
  }
  double background = 1 - share_of(truth_.objects);
  if (background < rules_.min_background)
    add("background",
        fmt::format("{:.3f} of the picture, at least {}", background, rules_.min_background));
}

void ImageCheck::check_patch(const std::vector<int64_t>& xywh) {
  where_ = fmt::format("patch_rectangles.json: image {}", truth_.image.id);
  if (xywh.size() != 4) return add("patch-missing", "it has no rectangle of four numbers");
  int64_t x = xywh[0];
  int64_t y = xywh[1];
  int64_t w = xywh[2];
  int64_t h = xywh[3];
  bool has_size = std::any_of(rules_.scales.begin(), rules_.scales.end(), [&](double scale) {
    auto side = [&](int length) {
      return std::max<int64_t>(1, static_cast<int64_t>(std::floor(scale * length)));
    };
    return w == side(truth_.image.width) && h == side(truth_.image.height);
  });
  if (!has_size) add("patch-size", fmt::format("{} x {} is of none of the scales", w, h));
  if (x < 0 || y < 0 || w < 1 || h < 1 || x + w > truth_.image.width || y + h > truth_.image.height)
    return add("patch-outside", fmt::format("[{}]", fmt::join(xywh, ", ")));
  for (int64_t row = y; row < y + h; ++row) {
    auto bits = truth_.objects.row(static_cast<int>(row))
                    .subspan(static_cast<size_t>(x), static_cast<size_t>(w));
    if (std::find(bits.begin(), bits.end(), 1) != bits.end())
      return add("patch-on-object",
                 fmt::format("[{}] covers part of an object", fmt::join(xywh, ", ")));
  }
  place_ = media::PatchPlace{.x = static_cast<int>(x),
                             .y = static_cast<int>(y),
                             .width = static_cast<int>(w),
                             .height = static_cast<int>(h)};
}

void ImageCheck::check_alone(const annotations::CooccurrenceGroup& group) {
  where_ = fmt::format("object_context_dataset.json: image {}, '{}'", group.image_id, group.object);
  auto found = truth_.masks.find(group.object);
  if (found == truth_.masks.end()) return add("object-absent", "the image has no such class");
  std::vector<std::string> others = truth_.classes;
  std::erase(others, group.object);
  if (others.empty()) add("object-without-company", "it is the only class");
  if (group.other_objects != others)
    add("other-objects",
        fmt::format(
            "[{}], expected [{}]", fmt::join(group.other_objects, ", "), fmt::join(others, ", ")));
  double share = share_of(found->second);
  if (share < rules_.min_area || share > rules_.max_area)
    add("object-area",
        fmt::format(
            "{:.4f} of the picture, {} to {} are used", share, rules_.min_area, rules_.max_area));
  std::string path = fmt::format(
      "{}_{}", group.object, annotations::coco_val2014_name(std::to_string(group.image_id)));
  if (group.path != path) add("path", fmt::format("'{}', expected '{}'", group.path, path));
  check_boxes(group.object);
  alone_.push_back(group.object);
}

void ImageCheck::check_pictures(const media::Image* source, Scenes* scenes) {
  std::string name = annotations::coco_val2014_name(std::to_string(truth_.image.id));
  for (media::Filler filler : rules_.fillers) {
    std::optional<media::Image> canvas;
    if (source != nullptr) canvas = canvas_for(filler, scenes);
    check_picture(removed_folder(filler) / name, source, truth_.objects, canvas);
    if (place_) check_picture(patched_folder(filler) / name, source, outside_patch(), canvas);
    for (const std::string& object : alone_) {
      check_picture(alone_folder(filler) / fmt::format("{}_{}", object, name),
                    source,
                    truth_.masks.at(object),
                    canvas);
    }
  }
}

void ImageCheck::add(std::string rule, std::string what) {
  report_.add({where_, std::move(rule), std::move(what)});
}

void ImageCheck::check_annotations(std::string_view json) {
  Result<simdjson::dom::object> parsed = annotations::parse_object(json, where_);
  simdjson::dom::object by_class;
  if (!parsed || parsed->at_key("annotations").get(by_class) != simdjson::SUCCESS) return;
  for (auto [name, list] : by_class) {
    std::vector<int64_t> ids;
    simdjson::dom::array entries;
    if (list.get(entries) != simdjson::SUCCESS) continue;
    for (simdjson::dom::element entry : entries) {
      simdjson::dom::object annotation;
      if (entry.get(annotation) == simdjson::SUCCESS)
        ids.push_back(annotations::integer_in(annotation, "id").value_or(-1));
    }
    std::vector<int64_t> wanted;
    for (const CocoInstance& instance : truth_.instances.at(std::string(name)))
      wanted.push_back(instance.id);
    if (ids != wanted)
      add("annotations",
          fmt::format("'{}' has ids [{}], the source [{}]",
                      name,
                      fmt::join(ids, ", "),
                      fmt::join(wanted, ", ")));
  }
}

void ImageCheck::check_boxes(const std::string& object) {
  for (const auto& [name, others] : truth_.instances) {
    if (name == object) continue;
    for (const CocoInstance& other : others) {
      for (const CocoInstance& own : truth_.instances.at(object)) {
        bool is_apart =
            own.box[0] + own.box[2] <= other.box[0] || other.box[0] + other.box[2] <= own.box[0] ||
            own.box[1] + own.box[3] <= other.box[1] || other.box[1] + other.box[3] <= own.box[1];
        if (!is_apart)
          return add("boxes-overlap",
                     fmt::format("annotation {} overlaps {} of '{}'", own.id, other.id, name));
      }
    }
  }
}

media::Image ImageCheck::canvas_for(media::Filler filler, Scenes* scenes) const {
  if (filler != media::Filler::kNoise) return canvas_of(filler, truth_.image, rules_.seed, scenes);
  media::Image canvas = media::Image::blank(truth_.image.width, truth_.image.height);
  Rng stream(fmt::format("{}|probe-b-noise|{}", rules_.seed, truth_.image.id));
  for (uint8_t& value : canvas.pixels)
    value = static_cast<uint8_t>(std::clamp(std::floor(128 + 64 * stream.gauss()), 0.0, 255.0));
  return canvas;
}

Mask ImageCheck::outside_patch() const {
  Mask mask = Mask::blank(truth_.image.width, truth_.image.height);
  std::fill(mask.bits.begin(), mask.bits.end(), uint8_t{1});
  for (int y = place_->y; y < place_->y + place_->height; ++y) {
    auto row =
        mask.row(y).subspan(static_cast<size_t>(place_->x), static_cast<size_t>(place_->width));
    std::fill(row.begin(), row.end(), uint8_t{0});
  }
  return mask;
}

void ImageCheck::check_picture(const fs::path& relative,
                               const media::Image* source,
                               const Mask& mask,
                               const std::optional<media::Image>& canvas) {
  where_ = relative.string();
  if (!is_whole_picture(folder_ / relative, truth_.image, rules_.format))
    return add("picture-missing", "is not there, not whole or of another size");
  if (source == nullptr) return;
  Result<media::Image> made = media::read_image(folder_ / relative);
  if (!made) return add("picture-unreadable", made.error().message());
  std::string difference = difference_from(*made, *source, mask, *canvas);
  if (!difference.empty()) add("picture-pixels", difference);
}

}  // namespace snellen::builders::probe_b
