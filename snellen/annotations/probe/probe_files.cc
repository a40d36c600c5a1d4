// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/probe/probe_files.h"

#include <fmt/format.h>

#include "snellen/annotations/record.h"

namespace snellen::annotations {
namespace {

formats::JsonElements open(std::filesystem::path path, bool as_object) {
  formats::JsonElements elements(std::move(path));
  if (elements.is_object() != as_object) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("is a JSON {}, expected {}",
                            as_object ? "array" : "object",
                            as_object ? "an object" : "an array"),
                elements.path().string(),
                "check that this is the released annotation file of this task"};
  }
  return elements;
}

bool is_image_id(std::string_view text) {
  return !text.empty() && text.size() < 20 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

// A file name that would leave its folder is refused before any path is made of it.
void check_file_name(Record& record, const char* key, const std::string& name) {
  bool is_plain = !name.empty() && name.size() < 256 && name.find('/') == std::string::npos &&
                  name.find('\0') == std::string::npos && name != ".." && name != ".";
  if (!is_plain)
    record.fail(
        fmt::format("'{}' is \"{}\", which is not a plain file name", key, name.substr(0, 80)));
}

}  // namespace

std::string coco_val2014_name(std::string_view image_id) {
  return fmt::format("COCO_val2014_{:0>12}.jpg", image_id);
}

ProbeRFile::ProbeRFile(std::filesystem::path path)
    : elements_(open(std::move(path), /*as_object=*/true)) {}

Result<ProbeRGroup> ProbeRFile::group(size_t index) const {
  Record record(elements_.element(index), elements_.where(index));
  ProbeRGroup group;
  group.image_id = elements_.key(index);
  if (!is_image_id(group.image_id)) record.fail("its key is not an image id");
  group.positive_image_ids = record.integers("positive_image_ids");
  group.negative_image_ids = record.integers("negative_image_ids");
  group.positive_prompt = record.text("positive_prompt");
  group.negative_prompt = record.text("negative_prompt");
  group.negative_predicate_prompt = record.text("negative_predicate_prompt");
  group.positive_object = record.text("positive_object");
  group.negative_object = record.text("negative_object");
  if (!record.failed() && group.positive_image_ids.empty())
    record.fail("'positive_image_ids' is empty");
  if (!record.failed() && group.negative_image_ids.empty())
    record.fail("'negative_image_ids' is empty");
  for (const auto& ids : {group.positive_image_ids, group.negative_image_ids}) {
    for (int64_t id : ids) {
      if (id < 0) record.fail(fmt::format("image id {} is negative", id));
    }
  }
  if (record.failed()) return record.error();
  return group;
}

ProbeCFile::ProbeCFile(std::filesystem::path path)
    : elements_(open(std::move(path), /*as_object=*/false)) {}

Result<ProbeCGroup> ProbeCFile::group(size_t index) const {
  Record record(elements_.element(index), elements_.where(index));
  ProbeCGroup group;
  group.img1_id = record.id("img1_id");
  group.img2_id = record.id("img2_id");
  group.img1_prompt = record.text("img1_prompt");
  group.img2_prompt = record.text("img2_prompt");
  if (record.has("img1_composition")) group.img1_composition = record.text("img1_composition");
  if (record.has("img1_file")) group.img1_file = record.text("img1_file");
  if (record.has("img2_file")) group.img2_file = record.text("img2_file");
  if (!record.failed() && (group.img1_id.front() == '-' || group.img2_id.front() == '-'))
    record.fail("an image id is negative");
  if (record.failed()) return record.error();
  return group;
}

BackgroundFile::BackgroundFile(std::filesystem::path path)
    : elements_(open(std::move(path), /*as_object=*/false)) {}

Result<BackgroundGroup> BackgroundFile::group(size_t index) const {
  Record record(elements_.element(index), elements_.where(index));
  BackgroundGroup group;
  group.image_id = record.integer("image_id");
  group.image = record.text("image");
  group.classes = record.keys_of("annotations");
  if (!record.failed()) check_file_name(record, "image", group.image);
  if (record.failed()) return record.error();
  return group;
}

CooccurrenceFile::CooccurrenceFile(std::filesystem::path path)
    : elements_(open(std::move(path), /*as_object=*/false)) {}

Result<CooccurrenceGroup> CooccurrenceFile::group(size_t index) const {
  Record record(elements_.element(index), elements_.where(index));
  CooccurrenceGroup group;
  group.image_id = record.integer("image_id");
  group.object = record.text("object");
  group.other_objects = record.texts("other_objects");
  group.path = record.text("path");
  if (!record.failed()) check_file_name(record, "path", group.path);
  if (!record.failed()) check_file_name(record, "object", group.object);
  if (record.failed()) return record.error();
  return group;
}

}  // namespace snellen::annotations
