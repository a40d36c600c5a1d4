// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visual_genome/visual_genome.h"

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

formats::JsonElements open_list(std::filesystem::path path) {
  formats::JsonElements elements(std::move(path));
  if (!elements.is_object()) return elements;
  throw Error{ErrorCode::kInvalidInput,
              "is a JSON object, expected a list of images",
              elements.path().string(),
              "check that this is the Visual Genome v1.4 file of this name"};
}

// `name` where it is there and not empty, else the first of `names`, else nothing.
std::string_view name_of(dom::object object) {
  std::optional<std::string_view> name = text_in(object, "name");
  if (name && !name->empty()) return *name;
  std::optional<dom::array> names = list_in(object, "names");
  std::string_view first;
  if (names && names->at(0).get(first) == simdjson::SUCCESS) return first;
  return {};
}

// Nothing when the key does not hold an object.
std::optional<std::string_view> name_under(dom::object relationship, const char* key) {
  dom::object object;
  if (relationship.at_key(key).get(object) != simdjson::SUCCESS) return std::nullopt;
  return name_of(object);
}

Result<int64_t> image_id_of(dom::object image, std::string_view where) {
  std::optional<int64_t> id = integer_in(image, "image_id");
  if (!id || *id < 0) return bad_record("'image_id' is not a whole number from 0", where);
  return *id;
}

}  // namespace

VgRelationshipsFile::VgRelationshipsFile(std::filesystem::path path)
    : elements_(open_list(std::move(path))) {}

Result<VgRelationships> VgRelationshipsFile::image(size_t index) const {
  std::string where = elements_.where(index);
  Result<dom::object> parsed = parse_object(elements_.element(index), where);
  if (!parsed) return parsed.error();
  Result<int64_t> id = image_id_of(*parsed, where);
  if (!id) return id.error();
  std::optional<dom::array> list = list_in(*parsed, "relationships");
  if (!list) return bad_record("'relationships' is not a list", where);
  VgRelationships image{.image_id = *id, .relationships = {}};
  image.relationships.reserve(list->size());
  for (dom::element element : *list) {
    dom::object relationship;
    bool is_object = element.get(relationship) == simdjson::SUCCESS;
    std::optional<std::string_view> subject;
    std::optional<std::string_view> object;
    if (is_object) {
      subject = name_under(relationship, "subject");
      object = name_under(relationship, "object");
    }
    if (!subject || !object) {
      return bad_record(fmt::format("relationship {} of image {} lacks its subject or object",
                                    image.relationships.size(),
                                    image.image_id),
                        where);
    }
    image.relationships.push_back(
        {.subject = std::string(*subject),
         .predicate = std::string(text_in(relationship, "predicate").value_or("")),
         .object = std::string(*object)});
  }
  return image;
}

VgObjectsFile::VgObjectsFile(std::filesystem::path path) : elements_(open_list(std::move(path))) {}

Result<VgObjects> VgObjectsFile::image(size_t index) const {
  std::string where = elements_.where(index);
  Result<dom::object> parsed = parse_object(elements_.element(index), where);
  if (!parsed) return parsed.error();
  Result<int64_t> id = image_id_of(*parsed, where);
  if (!id) return id.error();
  std::optional<dom::array> list = list_in(*parsed, "objects");
  if (!list) return bad_record("'objects' is not a list", where);
  VgObjects image{.image_id = *id, .names = {}};
  image.names.reserve(list->size());
  for (dom::element element : *list) {
    dom::object object;
    if (element.get(object) != simdjson::SUCCESS) {
      return bad_record(
          fmt::format(
              "object {} of image {} is not a JSON object", image.names.size(), image.image_id),
          where);
    }
    image.names.emplace_back(name_of(object));
  }
  return image;
}

VgImageFile::VgImageFile(std::filesystem::path path) : elements_(open_list(std::move(path))) {}

Result<VgImage> VgImageFile::image(size_t index) const {
  std::string where = elements_.where(index);
  Result<dom::object> parsed = parse_object(elements_.element(index), where);
  if (!parsed) return parsed.error();
  Result<int64_t> id = image_id_of(*parsed, where);
  if (!id) return id.error();
  return VgImage{.image_id = *id, .coco_id = integer_in(*parsed, "coco_id")};
}

}  // namespace snellen::annotations
