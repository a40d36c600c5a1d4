// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/items/item_reader.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "snellen/annotations/items/items_file.h"
#include "snellen/base/nearest.h"

namespace snellen::annotations {

namespace dom = simdjson::dom;

ItemReader::ItemReader(std::string_view json, std::string where)
    : Record(json, std::move(where), ItemLimits::kLineBytes) {}

bool has_control_characters(std::string_view text) {
  return std::any_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

void ItemReader::fail(std::string what, std::string hint) {
  Record::fail(std::move(what), std::move(hint));
}

void ItemReader::check_keys(std::initializer_list<std::string_view> known, std::string_view kind) {
  if (object()) check_keys(*object(), known, kind);
}

void ItemReader::check_keys(dom::object object,
                            std::initializer_list<std::string_view> known,
                            std::string_view kind) {
  for (dom::key_value_pair pair : object) {
    if (std::find(known.begin(), known.end(), pair.key) != known.end()) continue;
    std::vector<std::string> names(known.begin(), known.end());
    fail(fmt::format("the {} has an unknown key '{}'", kind, pair.key.substr(0, 80)),
         suggest(pair.key.substr(0, 80), names) + "; notes of your own go under \"extra\"");
    return;
  }
}

std::string ItemReader::text_of(dom::element element, const std::string& what, size_t most_bytes) {
  std::string_view text;
  if (element.get(text) != simdjson::SUCCESS) {
    fail(fmt::format("{} is not a text", what));
  } else if (text.size() > most_bytes) {
    fail(fmt::format("{} has {} bytes, at most {} are read", what, text.size(), most_bytes));
  } else if (text.find('\0') != std::string_view::npos) {
    fail(fmt::format("{} holds a NUL", what));
  }
  return failed() ? std::string() : std::string(text);
}

std::string ItemReader::text(std::string_view key, size_t most_bytes) {
  std::optional<dom::element> element = find(key);
  return element ? text_of(*element, fmt::format("'{}'", key), most_bytes) : std::string();
}

std::string ItemReader::name(std::string_view key) {
  std::string name = text(key, ItemLimits::kNameBytes);
  if (has_control_characters(name)) fail(fmt::format("'{}' holds a control character", key));
  return name;
}

std::string ItemReader::id(uint64_t line_number) {
  std::optional<dom::element> element = find("id");
  if (!element) return std::to_string(line_number);
  int64_t number = 0;
  if (element->get(number) == simdjson::SUCCESS) return std::to_string(number);
  std::string id = name("id");
  if (id.empty()) fail("'id' is empty");
  return id;
}

int64_t ItemReader::count(std::string_view key) {
  std::optional<dom::element> element = find(key);
  int64_t value = 0;
  if (element && element->get(value) != simdjson::SUCCESS)
    fail(fmt::format("'{}' is not a whole number", key));
  return value;
}

std::optional<dom::array> ItemReader::list(std::string_view key) {
  std::optional<dom::element> element = find(key);
  dom::array array;
  if (!element) return std::nullopt;
  if (element->get(array) == simdjson::SUCCESS) return array;
  fail(fmt::format("'{}' is not a list", key));
  return std::nullopt;
}

uint32_t ItemReader::index_of(dom::element element, const std::string& what, size_t end) {
  int64_t value = 0;
  if (element.get(value) != simdjson::SUCCESS || value < 0) {
    fail(fmt::format("{} is not a whole number of at least 0", what));
  } else if (static_cast<uint64_t>(value) >= end) {
    fail(fmt::format("{} is {}, but there are only {}", what, value, end), "numbers begin at 0");
  }
  return failed() ? 0 : static_cast<uint32_t>(value);
}

}  // namespace snellen::annotations
