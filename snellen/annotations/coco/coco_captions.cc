// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/coco/coco_captions.h"

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/annotations/probe/probe_files.h"

namespace snellen::annotations {

CocoCaptionsFile::CocoCaptionsFile(std::filesystem::path path)
    : elements_(std::move(path), "annotations") {}

Result<CocoCaption> CocoCaptionsFile::caption(size_t index) const {
  std::string where = elements_.where(index);
  Result<simdjson::dom::object> parsed = parse_object(elements_.element(index), where);
  if (!parsed) return parsed.error();
  std::optional<int64_t> id = integer_in(*parsed, "id");
  std::optional<int64_t> image_id = integer_in(*parsed, "image_id");
  std::optional<std::string_view> caption = text_in(*parsed, "caption");
  if (!id || !image_id || *image_id < 0 || !caption)
    return bad_record("needs whole numbers 'id' and 'image_id' and a text 'caption'", where);
  if (caption->size() > kLongestCaption) {
    return bad_record(fmt::format("caption {} has {} bytes, captions have at most {}",
                                  *id,
                                  caption->size(),
                                  kLongestCaption),
                      where);
  }
  return CocoCaption{.id = *id, .image_id = *image_id, .caption = std::string(*caption)};
}

std::map<int64_t, std::string> own_file_names(const std::filesystem::path& path) {
  std::map<int64_t, std::string> names;
  std::optional<formats::JsonElements> images;
  try {
    images.emplace(path, "images");
  } catch (const Error&) {
    return names;
  }
  for (size_t i = 0; i < images->size(); ++i) {
    Result<simdjson::dom::object> image = parse_object(images->element(i), images->where(i));
    if (!image) continue;
    const std::optional<int64_t> id = integer_in(*image, "id");
    const std::optional<std::string_view> name = text_in(*image, "file_name");
    if (id && name && *name != coco_val2014_name(std::to_string(*id))) names.emplace(*id, *name);
  }
  return names;
}

}  // namespace snellen::annotations
