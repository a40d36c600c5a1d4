// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "snellen/annotations/items/item_reader.h"
#include "snellen/annotations/items/items_file.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

std::optional<double> bound_of(ItemReader& reader, dom::object visual, const char* key) {
  dom::element element;
  if (visual.at_key(key).get(element) != simdjson::SUCCESS || element.is_null())
    return std::nullopt;
  double value = 0;
  if (element.get(value) != simdjson::SUCCESS || !std::isfinite(value) || value < 0) {
    reader.fail(fmt::format("a clip's '{}' is not a number of at least 0", key));
    return std::nullopt;
  }
  return value;
}

void check_path(ItemReader& reader, const std::string& path) {
  bool is_good = !path.empty() && stays_inside(path) && !has_control_characters(path);
  if (!is_good && !reader.failed()) {
    reader.fail(fmt::format("visual \"{}\" is not a path inside its folder", path.substr(0, 80)),
                "name files relative to --images, --data or the file's own folder, "
                "without '..'");
  }
}

void read_clip(ItemReader& reader, dom::object object, ItemVisual& visual) {
  visual.start = bound_of(reader, object, "start");
  visual.end = bound_of(reader, object, "end");
  if (visual.start && visual.end && *visual.end <= *visual.start)
    reader.fail(
        fmt::format("a clip ends at {}, before it starts at {}", *visual.end, *visual.start));
  dom::element unit;
  if (object.at_key("unit").get(unit) != simdjson::SUCCESS) return;
  std::string word = reader.text_of(unit, "a clip's 'unit'", ItemLimits::kNameBytes);
  visual.counts_frames = word == "frames";
  if (!reader.failed() && word != "frames" && word != "seconds")
    reader.fail(fmt::format("a clip's 'unit' is \"{}\"", word.substr(0, 40)), "seconds or frames");
}

void read_crop(ItemReader& reader, dom::element element, ItemVisual& visual) {
  dom::array list;
  std::array<int32_t, 4> box{};
  size_t count = 0;
  bool is_good = element.get(list) == simdjson::SUCCESS && list.size() == box.size();
  for (dom::element number : list) {
    int64_t value = 0;
    is_good = is_good && number.get(value) == simdjson::SUCCESS &&
              value >= (count < 2 ? -ItemLimits::kSide : 1) && value <= ItemLimits::kSide;
    if (!is_good) break;
    box[count++] = static_cast<int32_t>(value);
  }
  if (!is_good || int64_t{box[2]} * box[3] > ItemLimits::kPixels) {
    reader.fail("a 'crop' is not a box of a picture", "write [left, top, width, height] in pixels");
    return;
  }
  visual.crop = box;
}

ItemVisual visual_of(ItemReader& reader, dom::element element) {
  ItemVisual visual;
  if (element.is_string()) {
    visual.path = reader.text_of(element, "a visual", ItemLimits::kPathBytes);
    check_path(reader, visual.path);
    return visual;
  }
  dom::object object;
  if (element.get(object) != simdjson::SUCCESS) {
    reader.fail("a visual is neither a path nor an object");
    return visual;
  }
  reader.check_keys(object,
                    {"image", "clip", "start", "end", "unit", "crop", "corruption", "replicate"},
                    "visual");
  dom::element path;
  visual.is_clip = object.at_key("clip").get(path) == simdjson::SUCCESS;
  bool has_image = object.at_key("image").error() == simdjson::SUCCESS;
  if (has_image) path = object.at_key("image").value();
  if (visual.is_clip == has_image) {
    reader.fail("a visual has both or none of 'image' and 'clip'");
    return visual;
  }
  visual.path = reader.text_of(path, "a visual", ItemLimits::kPathBytes);
  check_path(reader, visual.path);
  if (visual.is_clip) read_clip(reader, object, visual);
  bool has_window = object.at_key("start").error() == simdjson::SUCCESS ||
                    object.at_key("end").error() == simdjson::SUCCESS;
  if (has_image && has_window) reader.fail("a picture has no 'start' and 'end'", "write 'clip'");
  dom::element made;
  if (object.at_key("crop").get(made) == simdjson::SUCCESS) read_crop(reader, made, visual);
  if (object.at_key("corruption").get(made) == simdjson::SUCCESS)
    visual.corruption = reader.text_of(made, "a 'corruption'", ItemLimits::kNameBytes);
  if (object.at_key("replicate").get(made) == simdjson::SUCCESS)
    visual.replicate = reader.index_of(made, "a 'replicate'", size_t{1} << 31);
  return visual;
}

void read_shown(ItemReader& reader, ItemLine& item) {
  if (std::optional<dom::array> visuals = reader.list("visuals")) {
    if (visuals->size() > ItemLimits::kVisuals)
      reader.fail(fmt::format("more than {} visuals", ItemLimits::kVisuals));
    for (dom::element element : *visuals) {
      if (reader.failed()) return;
      item.visuals.push_back(visual_of(reader, element));
    }
  }
  std::optional<dom::array> texts = reader.list("texts");
  if (!texts) {
    reader.fail("'texts' is missing");
    return;
  }
  if (texts->size() == 0 || texts->size() > ItemLimits::kTexts)
    reader.fail(fmt::format("{} texts, expected 1 to {}", texts->size(), ItemLimits::kTexts));
  for (dom::element element : *texts) {
    if (reader.failed()) return;
    item.texts.push_back(reader.text_of(element, "a text", ItemLimits::kTextBytes));
  }
}

// Texts alone are asked as if beside one visual.
size_t num_visuals(const ItemLine& item) {
  return std::max<size_t>(1, item.visuals.size());
}

// [visual, text], or one number where the other side has no choice.
ItemCell cell_of(ItemReader& reader, dom::element element, const ItemLine& item, const char* key) {
  std::string what = fmt::format("a number in '{}'", key);
  dom::array pair;
  if (element.get(pair) == simdjson::SUCCESS) {
    if (pair.size() != 2) {
      reader.fail(
          fmt::format("'{}' holds a list of {}, expected [visual, text]", key, pair.size()));
      return {};
    }
    return {reader.index_of(pair.at(0).value(), what, num_visuals(item)),
            reader.index_of(pair.at(1).value(), what, item.texts.size())};
  }
  if (num_visuals(item) == 1) return {0, reader.index_of(element, what, item.texts.size())};
  if (item.texts.size() == 1) return {reader.index_of(element, what, num_visuals(item)), 0};
  reader.fail(fmt::format("'{}' holds a number, but there are several visuals and texts", key),
              "write pairs [visual, text]");
  return {};
}

std::vector<ItemCell> cells_in(ItemReader& reader, const ItemLine& item, const char* key) {
  std::vector<ItemCell> cells;
  std::optional<dom::element> element = reader.find(key);
  dom::array list;
  if (element && element->get(list) != simdjson::SUCCESS) {
    cells.push_back(cell_of(reader, *element, item, key));
    return cells;
  }
  if (list.size() > ItemLimits::kCells)
    reader.fail(fmt::format("'{}' has more than {} pairs", key, ItemLimits::kCells));
  for (dom::element one : list) {
    if (reader.failed()) return {};
    cells.push_back(cell_of(reader, one, item, key));
  }
  std::vector<ItemCell> sorted = cells;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    reader.fail(fmt::format("'{}' names a pair twice", key));
  return cells;
}

// A task keeps a place for every visual with every text, asked for or not.
void check_pairs(ItemReader& reader, const ItemLine& item) {
  const size_t count = num_visuals(item) * item.texts.size();
  if (count > ItemLimits::kCells) {
    reader.fail(fmt::format("{} visuals with {} texts are {} pairs, at most {} are read",
                            num_visuals(item),
                            item.texts.size(),
                            count,
                            ItemLimits::kCells));
  }
}

std::vector<ItemCell> all_cells(const ItemLine& item) {
  std::vector<ItemCell> cells;
  cells.reserve(num_visuals(item) * item.texts.size());
  for (uint32_t visual = 0; visual < num_visuals(item); ++visual) {
    for (uint32_t text = 0; text < item.texts.size(); ++text) cells.push_back({visual, text});
  }
  return cells;
}

void read_asked(ItemReader& reader, ItemLine& item) {
  std::optional<dom::element> cells = reader.find("cells");
  std::string_view word;
  bool wants_all = !cells || (cells->get(word) == simdjson::SUCCESS && word == "all");
  check_pairs(reader, item);
  if (reader.failed()) return;
  item.cells = wants_all ? all_cells(item) : cells_in(reader, item, "cells");
  if (!reader.failed() && item.cells.empty()) reader.fail("'cells' is empty");
  if (reader.has("right")) {
    item.right = cells_in(reader, item, "right");
  } else if (item.visuals.size() == item.texts.size()) {
    for (uint32_t i = 0; i < item.texts.size(); ++i) item.right.push_back({i, i});
  } else {
    reader.fail("'right' is missing",
                "it may be left out only where as many visuals as texts match in order");
  }
  if (reader.failed()) return;
  std::sort(item.right.begin(), item.right.end());
  std::vector<ItemCell> asked = item.cells;
  std::sort(asked.begin(), asked.end());
  if (!std::includes(asked.begin(), asked.end(), item.right.begin(), item.right.end()))
    reader.fail("'right' names a pair that 'cells' does not ask for");
}

void read_tags(ItemReader& reader, ItemLine& item) {
  std::optional<dom::array> tags = reader.list("tags");
  if (!tags) return;
  if (tags->size() > ItemLimits::kTags)
    reader.fail(fmt::format("more than {} tags", ItemLimits::kTags));
  for (dom::element element : *tags) {
    if (reader.failed()) return;
    item.tags.push_back(reader.text_of(element, "a tag", ItemLimits::kNameBytes));
    if (item.tags.back().empty() || has_control_characters(item.tags.back()))
      reader.fail("a tag is empty or holds a control character");
  }
  std::sort(item.tags.begin(), item.tags.end());
  item.tags.erase(std::unique(item.tags.begin(), item.tags.end()), item.tags.end());
}

// One name, or a list of two.
void read_group(ItemReader& reader, ItemLine& item) {
  std::optional<dom::element> found = reader.find("group");
  if (!found || !found->is_array()) {
    item.group = reader.name("group");
    return;
  }
  const dom::array names = found->get_array();
  if (names.size() != 2) {
    reader.fail(fmt::format("'group' lists {} names, expected 2", names.size()),
                "write a single name without a list");
    return;
  }
  item.group = reader.text_of(names.at(0), "a group", ItemLimits::kNameBytes);
  item.group_2 = reader.text_of(names.at(1), "a group", ItemLimits::kNameBytes);
  for (const std::string& name : {item.group, item.group_2}) {
    if (name.empty() || has_control_characters(name))
      reader.fail("a group is empty or holds a control character");
  }
}

}  // namespace

Result<ItemLine> parse_item_line(std::string_view line,
                                 const std::string& where,
                                 uint64_t line_number) {
  ItemReader reader(line, where);
  reader.check_keys({"id",
                     "part",
                     "group",
                     "category",
                     "tags",
                     "metric",
                     "visuals",
                     "texts",
                     "cells",
                     "right",
                     "extra"},
                    "item");
  ItemLine item;
  item.id = reader.id(line_number);
  item.part = reader.name("part");
  read_group(reader, item);
  item.category = reader.name("category");
  item.metric = reader.name("metric");
  if (!reader.failed()) read_tags(reader, item);
  if (!reader.failed()) read_shown(reader, item);
  if (!reader.failed()) read_asked(reader, item);
  if (reader.failed()) return reader.error();
  return item;
}

}  // namespace snellen::annotations
