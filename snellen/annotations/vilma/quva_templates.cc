// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/quva_templates.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/annotations/record.h"
#include "snellen/base/files.h"
#include "snellen/base/parse_number.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {
namespace {

constexpr std::string_view kNumber = "<number>";
constexpr size_t kMostTemplates = 1000;

bool holds_number_once(const std::string& text) {
  const size_t found = text.find(kNumber);
  return found != std::string::npos && text.find(kNumber, found + 1) == std::string::npos;
}

// The prefix names files, so that it may not leave its folder.
bool is_file_stem(const std::string& text) {
  return !text.empty() && text.find('/') == std::string::npos && stays_inside(text + ".npy");
}

formats::JsonElements object_of(const std::filesystem::path& path) {
  formats::JsonElements elements(path);
  if (!elements.is_object()) {
    throw Error{ErrorCode::kInvalidInput,
                "is a list, expected an object of videos by id",
                path.string(),
                "give the file of ViLMA's data folder, or one of its form"};
  }
  return elements;
}

Result<QuvaVideo> read_video(std::string_view json,
                             std::string_view key,
                             const std::string& where) {
  Record record(json, where);
  QuvaVideo video;
  video.id = key;
  video.prefix = record.text("prefix");
  if (record.has("category")) video.category = record.text("category");
  if (record.has("action")) video.action = record.text("action");
  video.templates = record.texts("templates");
  if (record.has("singular_templates")) {
    video.singular_templates = record.texts("singular_templates");
    if (!record.failed() && video.singular_templates.size() != video.templates.size()) {
      record.fail(fmt::format("has {} templates and {} singular ones",
                              video.templates.size(),
                              video.singular_templates.size()));
    }
  }
  if (!record.failed() && !is_file_stem(video.prefix))
    record.fail(fmt::format("prefix '{}' is not the stem of a file name", video.prefix));
  if (!record.failed() && (video.templates.empty() || video.templates.size() > kMostTemplates))
    record.fail(fmt::format("has {} templates", video.templates.size()));
  for (const auto* texts : {&video.templates, &video.singular_templates}) {
    for (const std::string& text : *texts) {
      if (!holds_number_once(text))
        record.fail(fmt::format("template '{}' does not hold <number> once", text));
    }
  }
  if (record.failed()) return record.error();
  return video;
}

Result<QuvaFoils> read_foils(std::string_view json, const std::string& where) {
  Result<simdjson::dom::object> object = parse_object(json, where);
  if (!object) return object.error();
  QuvaFoils foils;
  for (simdjson::dom::key_value_pair pair : *object) {
    const std::optional<size_t> number = parse_number<size_t>(pair.key);
    simdjson::dom::array list;
    if (!number || *number > kMostTemplates || pair.value.get(list) != simdjson::SUCCESS)
      return bad_record(fmt::format("'{}' is not a template's number with a list", pair.key),
                        where);
    for (simdjson::dom::element element : list) {
      std::string_view text;
      if (element.get(text) != simdjson::SUCCESS || text.empty())
        return bad_record(fmt::format("template {} has a foil that is not text", *number), where);
      foils[*number].emplace_back(text);
    }
  }
  return foils;
}

}  // namespace

QuvaTemplates read_quva_templates(const std::filesystem::path& path) {
  const formats::JsonElements elements = object_of(path);
  QuvaTemplates file;
  std::set<std::string_view> ids;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (!ids.insert(elements.key(i)).second) {
      file.bad_records.push_back(bad_record("is there already", elements.where(i)));
      continue;
    }
    Result<QuvaVideo> video = read_video(elements.element(i), elements.key(i), elements.where(i));
    if (video) {
      file.videos.push_back(std::move(video).value());
    } else {
      file.bad_records.push_back(video.error());
    }
  }
  std::sort(file.videos.begin(), file.videos.end(), [](const QuvaVideo& a, const QuvaVideo& b) {
    return a.id < b.id;
  });
  return file;
}

QuvaFoilPool read_quva_foils(const std::filesystem::path& path) {
  const formats::JsonElements elements = object_of(path);
  QuvaFoilPool pool;
  for (size_t i = 0; i < elements.size(); ++i) {
    Result<QuvaFoils> foils = read_foils(elements.element(i), elements.where(i));
    if (!foils) {
      pool.bad_records.push_back(foils.error());
    } else if (!pool.videos.emplace(elements.key(i), std::move(foils).value()).second) {
      pool.bad_records.push_back(bad_record("is there already", elements.where(i)));
    }
  }
  return pool;
}

}  // namespace snellen::annotations
