// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/vilma/vilma_item.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "snellen/formats/python_json_parser.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

std::optional<dom::element> find(dom::object object, std::string_view key) {
  dom::element element;
  if (object.at_key(key).get(element) != simdjson::SUCCESS || element.is_null())
    return std::nullopt;
  return element;
}

std::optional<dom::object> find_object(dom::object object, std::string_view key) {
  const auto element = find(object, key);
  dom::object found;
  if (!element || element->get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

// Descriptive keys: a text, a whole number as text, or nothing.
std::string text_of(dom::object object, std::string_view key) {
  const auto element = find(object, key);
  if (!element) return {};
  std::string_view text;
  if (element->get(text) == simdjson::SUCCESS) return std::string(text);
  int64_t number = 0;
  if (element->get(number) == simdjson::SUCCESS) return std::to_string(number);
  return {};
}

std::optional<double> number_of(dom::object object, std::string_view key) {
  const auto element = find(object, key);
  double number = 0.0;
  if (!element || element->get(number) != simdjson::SUCCESS) return std::nullopt;
  return number;
}

std::optional<VilmaTexts> texts_of(dom::object object) {
  VilmaTexts texts;
  std::string_view text;
  const auto caption = find(object, "caption");
  if (!caption || caption->get(text) != simdjson::SUCCESS) return std::nullopt;
  texts.caption = text;
  const auto foils = find(object, "foils");
  dom::array list;
  if (!foils || foils->get(list) != simdjson::SUCCESS) return std::nullopt;
  for (dom::element foil : list) {
    if (foil.get(text) != simdjson::SUCCESS) return std::nullopt;
    texts.foils.emplace_back(text);
  }
  if (texts.foils.empty()) return std::nullopt;
  return texts;
}

void read_clip(dom::object object, VilmaItem& item) {
  item.dataset = text_of(object, "dataset");
  item.phenomenon = text_of(object, "linguistic_phenomena");
  item.dataset_idx = text_of(object, "dataset_idx");
  item.youtube_id = text_of(object, "youtube_id");
  item.video_file = text_of(object, "video_file");
  item.start_time = number_of(object, "start_time");
  item.end_time = number_of(object, "end_time");
  if (item.end_time == -1.0) item.end_time.reset();
  if (text_of(object, "time_unit") == "pts") item.time_unit = VilmaTimeUnit::kFrames;
  const auto normalized = find(object, "normalized");
  bool is_normalized = false;
  if (normalized && normalized->get(is_normalized) == simdjson::SUCCESS)
    item.is_normalized = is_normalized;
}

Error missing_votes(const VilmaItem& item, std::string_view key) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("has no human votes ('{}')", key),
               fmt::format("item '{}'", item.id),
               "such files cannot be filtered: pass --filter none to evaluate every item"};
}

VilmaDefect defect_of_texts(const VilmaTexts& texts) {
  std::vector<std::string_view> foils(texts.foils.begin(), texts.foils.end());
  if (std::find(foils.begin(), foils.end(), texts.caption) != foils.end())
    return VilmaDefect::kCaptionIsFoil;
  std::sort(foils.begin(), foils.end());
  const bool has_twins = std::adjacent_find(foils.begin(), foils.end()) != foils.end();
  return has_twins ? VilmaDefect::kDuplicateFoils : VilmaDefect::kNone;
}

}  // namespace

std::string VilmaItem::video() const {
  std::string_view name = !youtube_id.empty()   ? youtube_id
                          : !video_file.empty() ? video_file
                                                : dataset_idx;
  return fmt::format("{}/{}", dataset, name);
}

Result<VilmaItem> parse_vilma_item(std::string_view id,
                                   std::string_view json,
                                   std::string_view where) {
  formats::PythonJsonParser parser;
  auto parsed = parser.parse(json, where);
  if (!parsed) return parsed.error();
  auto fail = [&](std::string what) {
    return Error{ErrorCode::kInvalidInput,
                 std::move(what),
                 std::string(where),
                 "compare it with the published file"};
  };
  dom::object object;
  if ((*parsed).get(object) != simdjson::SUCCESS) return fail("item is not an object");
  VilmaItem item;
  item.id = id;
  read_clip(object, item);
  auto main = texts_of(object);
  if (!main) return fail("item needs a text 'caption' and a list 'foils' of at least one text");
  item.main = std::move(*main);
  if (const auto proficiency = find_object(object, "proficiency")) {
    item.proficiency = texts_of(*proficiency);
    if (const auto human = find_object(*proficiency, "human"))
      item.prof_votes = number_of(*human, "caption");
  }
  if (const auto votes = find_object(object, "mturk"))
    item.main_votes = number_of(*votes, "caption");
  return item;
}

Result<bool> is_evaluated(const VilmaItem& item, VilmaFilter filter) {
  const bool needs_main = filter == VilmaFilter::kBoth || filter == VilmaFilter::kMain;
  const bool needs_prof = filter == VilmaFilter::kBoth || filter == VilmaFilter::kProf;
  if (needs_main && !item.main_votes) return missing_votes(item, "mturk.caption");
  if (needs_prof && !item.prof_votes) return missing_votes(item, "proficiency.human.caption");
  const bool is_main_valid = !needs_main || *item.main_votes >= 2.0;
  const bool is_prof_valid = !needs_prof || *item.prof_votes == 1.0;
  return is_main_valid && is_prof_valid;
}

VilmaDefect defect_of(const VilmaItem& item) {
  const VilmaDefect main = defect_of_texts(item.main);
  const VilmaDefect prof =
      item.proficiency ? defect_of_texts(*item.proficiency) : VilmaDefect::kNone;
  for (VilmaDefect defect : {VilmaDefect::kCaptionIsFoil, VilmaDefect::kDuplicateFoils}) {
    if (main == defect || prof == defect) return defect;
  }
  return VilmaDefect::kNone;
}

}  // namespace snellen::annotations
