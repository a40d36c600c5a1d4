// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/coco/coco_instances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/base/files.h"
#include "snellen/formats/python_json_parser.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

constexpr int64_t kLongestSide = 1 << 16;

Result<CocoImage> read_image(const formats::JsonElements& elements, size_t index) {
  std::string where = elements.where(index);
  Result<dom::object> parsed = parse_object(elements.element(index), where);
  if (!parsed) return parsed.error();
  std::optional<int64_t> id = integer_in(*parsed, "id");
  std::optional<int64_t> width = integer_in(*parsed, "width");
  std::optional<int64_t> height = integer_in(*parsed, "height");
  std::optional<std::string_view> name = text_in(*parsed, "file_name");
  if (!id || *id < 0 || !width || !height || !name)
    return bad_record("needs whole numbers 'id', 'width', 'height' and a text 'file_name'", where);
  if (*width < 1 || *height < 1 || *width > kLongestSide || *height > kLongestSide) {
    return bad_record(
        fmt::format(
            "image {} is {} x {} pixels, sides are 1 to {}", *id, *width, *height, kLongestSide),
        where);
  }
  if (name->empty() || !stays_inside(std::string(*name)))
    return bad_record(fmt::format("'file_name' of image {} leaves its folder", *id), where);
  return CocoImage{.id = *id,
                   .file_name = std::string(*name),
                   .width = static_cast<int>(*width),
                   .height = static_cast<int>(*height)};
}

Result<std::array<double, 4>> box_of(dom::object annotation, int64_t id, std::string_view where) {
  std::array<double, 4> box = {};
  std::optional<dom::array> list = list_in(annotation, "bbox");
  bool is_sound = list && list->size() == 4;
  for (size_t i = 0; is_sound && i < 4; ++i)
    is_sound = list->at(i).get(box[i]) == simdjson::SUCCESS && std::isfinite(box[i]);
  if (!is_sound)
    return bad_record(fmt::format("'bbox' of annotation {} is not four numbers", id), where);
  if (box[2] <= 0 || box[3] <= 0) {
    return bad_record(
        fmt::format("'bbox' of annotation {} has no area: {} x {}", id, box[2], box[3]), where);
  }
  return box;
}

}  // namespace

CocoInstances::CocoInstances(const std::filesystem::path& path)
    : annotations_(path, "annotations") {
  if (annotations_.size() > std::numeric_limits<uint32_t>::max())
    throw Error{ErrorCode::kInvalidInput, "holds more than 2^32 annotations", path.string()};
  read_images(path);
  read_categories(path);
  group_annotations();
}

void CocoInstances::read_images(const std::filesystem::path& path) {
  formats::JsonElements elements(path, "images");
  for (size_t i = 0; i < elements.size(); ++i) {
    Result<CocoImage> image = read_image(elements, i);
    if (image) {
      images_.push_back(std::move(image).value());
    } else {
      bad_records_.push_back(image.error());
    }
  }
  std::stable_sort(images_.begin(), images_.end(), [](const CocoImage& a, const CocoImage& b) {
    return a.id < b.id;
  });
  auto is_twin = [&](const CocoImage& a, const CocoImage& b) {
    if (a.id != b.id) return false;
    bad_records_.push_back(bad_record(
        fmt::format("image id {} occurs twice; the first is used", b.id), path.string()));
    return true;
  };
  images_.erase(std::unique(images_.begin(), images_.end(), is_twin), images_.end());
}

void CocoInstances::read_categories(const std::filesystem::path& path) {
  formats::JsonElements elements(path, "categories");
  for (size_t i = 0; i < elements.size(); ++i) {
    std::string where = elements.where(i);
    dom::object category = parse_object(elements.element(i), where).value();
    std::optional<int64_t> id = integer_in(category, "id");
    std::optional<std::string_view> name = text_in(category, "name");
    bool is_plain = name && !name->empty() && name->size() < 100 &&
                    name->find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
    // Names become parts of file names.
    if (!id || !is_plain)
      throw bad_record("a category needs a number 'id' and a 'name' fit for file names", where);
    if (!categories_.emplace(*id, *name).second)
      throw bad_record(fmt::format("category id {} occurs twice", *id), where);
  }
}

void CocoInstances::group_annotations() {
  std::unordered_set<int64_t> seen;
  for (size_t i = 0; i < annotations_.size(); ++i) {
    std::string_view text = annotations_.element(i);
    Result<dom::object> parsed = parse_object(text, annotations_.where(i));
    if (!parsed) {
      bad_records_.push_back(parsed.error());
      continue;
    }
    std::optional<int64_t> id = integer_in(*parsed, "id");
    std::optional<int64_t> image_id = integer_in(*parsed, "image_id");
    if (!id || !image_id) {
      bad_records_.push_back(
          bad_record("needs whole numbers 'id' and 'image_id'", annotations_.where(i)));
      continue;
    }
    auto image = std::lower_bound(
        images_.begin(), images_.end(), *image_id, [](const CocoImage& one, int64_t wanted) {
          return one.id < wanted;
        });
    if (image == images_.end() || image->id != *image_id) {
      bad_records_.push_back(bad_record(
          fmt::format("annotation {} is of image {}, which is not listed", *id, *image_id),
          annotations_.where(i)));
    } else if (!seen.insert(*id).second) {
      bad_records_.push_back(
          bad_record(fmt::format("annotation id {} occurs twice; the first is used", *id),
                     annotations_.where(i)));
    } else {
      places_.push_back({.image = static_cast<uint32_t>(image - images_.begin()),
                         .position = static_cast<uint32_t>(i)});
    }
  }
  std::stable_sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
    return a.image < b.image;
  });
}

const std::string* CocoInstances::category(int64_t id) const {
  auto found = categories_.find(id);
  return found == categories_.end() ? nullptr : &found->second;
}

std::vector<uint32_t> CocoInstances::instances_of(size_t image) const {
  auto at =
      std::lower_bound(places_.begin(), places_.end(), image, [](const Place& place, size_t i) {
        return place.image < i;
      });
  std::vector<uint32_t> positions;
  for (; at != places_.end() && at->image == image; ++at) positions.push_back(at->position);
  return positions;
}

Result<CocoInstance> CocoInstances::instance(uint32_t position) const {
  std::string where = annotations_.where(position);
  Result<dom::object> parsed = parse_object(annotations_.element(position), where);
  if (!parsed) return parsed.error();
  CocoInstance instance{.id = integer_in(*parsed, "id").value_or(0),
                        .image_id = integer_in(*parsed, "image_id").value_or(0),
                        .category_id = integer_in(*parsed, "category_id").value_or(-1),
                        .box = {},
                        .segmentation = {},
                        .json = {}};
  if (category(instance.category_id) == nullptr) {
    return bad_record(
        fmt::format("annotation {} is of unknown category {}", instance.id, instance.category_id),
        where);
  }
  Result<std::array<double, 4>> box = box_of(*parsed, instance.id, where);
  if (!box) return box.error();
  instance.box = *box;
  dom::element segmentation;
  if (parsed->at_key("segmentation").get(segmentation) != simdjson::SUCCESS)
    return bad_record(fmt::format("annotation {} has no 'segmentation'", instance.id), where);
  instance.segmentation = simdjson::minify(segmentation);
  // This thread's parser is free again: both texts are ours.
  thread_local formats::PythonJsonParser python;
  Result<dom::element> whole = python.parse(annotations_.element(position), where);
  if (!whole) return whole.error();
  formats::append_python_json(instance.json, python, *whole, /*indent=*/0, /*depth=*/0);
  return instance;
}

}  // namespace snellen::annotations
