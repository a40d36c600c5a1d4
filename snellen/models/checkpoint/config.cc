// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/config.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/formats/json.h"

namespace snellen::models {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxConfigBytes = size_t{64} << 20;
constexpr int64_t kMaxInteger = int64_t{1} << 53;

const Json& empty_object() {
  static const Json object = Json::object();
  return object;
}

std::optional<int64_t> whole_number(const Json& value) {
  if (value.is_number_unsigned()) {
    uint64_t number = value.get<uint64_t>();
    if (number <= static_cast<uint64_t>(kMaxInteger)) return static_cast<int64_t>(number);
  } else if (value.is_number_integer()) {
    int64_t number = value.get<int64_t>();
    if (number >= -kMaxInteger) return number;
  }
  return {};
}

std::optional<double> finite_number(const Json& value) {
  if (!value.is_number()) return {};
  double number = value.get<double>();
  if (!std::isfinite(number)) return {};
  return number;
}

// For messages: the value itself where it is short, its type where it is not.
std::string shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() <= 60 ? text : fmt::format("a {} of {} bytes", value.type_name(), text.size());
}

}  // namespace

Json parse_config(std::string_view text, const std::string& where) {
  return formats::parse_json_object(text, where, "download the file again");
}

Json read_config(const std::filesystem::path& file) {
  return parse_config(read_text_file(file, kMaxConfigBytes), file.string());
}

ConfigView::ConfigView(const Json& object, std::string where)
    : object_(&object), where_(std::move(where)) {
  SNELLEN_CHECK(object.is_object());
}

const Json* ConfigView::find(std::string_view key) const {
  auto found = object_->find(key);
  return found == object_->end() || found->is_null() ? nullptr : &*found;
}

bool ConfigView::has(std::string_view key) const {
  return find(key) != nullptr;
}

bool ConfigView::is_set(std::string_view key) const {
  const nlohmann::json* value = find(key);
  return value && *value != false;
}

bool ConfigView::is_list(std::string_view key) const {
  const Json* value = find(key);
  return value != nullptr && value->is_array();
}

bool ConfigView::is_object(std::string_view key) const {
  const Json* value = find(key);
  return value != nullptr && value->is_object();
}

void ConfigView::fail(std::string_view key, const std::string& what) const {
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("'{}' {}", key, what),
              where_,
              "correct the configuration, or download it again"};
}

int64_t ConfigView::integer(std::string_view key, std::optional<int64_t> fallback) const {
  const Json* value = find(key);
  if (value == nullptr && fallback) return *fallback;
  if (value == nullptr) fail(key, "is missing, expected a whole number");
  std::optional<int64_t> number = whole_number(*value);
  if (!number) fail(key, fmt::format("is {}, expected a whole number", shown(*value)));
  return *number;
}

int64_t ConfigView::positive(std::string_view key,
                             std::optional<int64_t> fallback,
                             int64_t max) const {
  int64_t number = integer(key, fallback);
  if (number < 1 || number > max)
    fail(key, fmt::format("is {}, expected a whole number from 1 to {}", number, max));
  return number;
}

int64_t ConfigView::layers(std::string_view key, std::optional<int64_t> fallback) const {
  return positive(key, fallback, kMaxLayers);
}

int64_t ConfigView::heads(std::string_view key,
                          std::optional<int64_t> fallback,
                          int64_t width) const {
  int64_t number = positive(key, fallback);
  if (width % number != 0)
    fail(key, fmt::format("is {}, which does not divide the width {}", number, width));
  return number;
}

double ConfigView::number(std::string_view key, std::optional<double> fallback) const {
  const Json* value = find(key);
  if (value == nullptr && fallback) return *fallback;
  if (value == nullptr) fail(key, "is missing, expected a number");
  std::optional<double> number = finite_number(*value);
  if (!number) fail(key, fmt::format("is {}, expected a number", shown(*value)));
  return *number;
}

double ConfigView::positive_number(std::string_view key, std::optional<double> fallback) const {
  double found = number(key, fallback);
  if (!(found > 0)) fail(key, fmt::format("is {}, expected a number above 0", found));
  return found;
}

bool ConfigView::boolean(std::string_view key, std::optional<bool> fallback) const {
  const Json* value = find(key);
  if (value == nullptr && fallback) return *fallback;
  if (value == nullptr) fail(key, "is missing, expected true or false");
  if (!value->is_boolean()) fail(key, fmt::format("is {}, expected true or false", shown(*value)));
  return value->get<bool>();
}

std::string ConfigView::text(std::string_view key, std::optional<std::string> fallback) const {
  const Json* value = find(key);
  if (value == nullptr && fallback) return *std::move(fallback);
  if (value == nullptr) fail(key, "is missing, expected a text");
  if (!value->is_string()) fail(key, fmt::format("is {}, expected a text", shown(*value)));
  return value->get<std::string>();
}

template <typename T, typename Convert>
std::vector<T> ConfigView::list(std::string_view key,
                                std::optional<std::vector<T>> fallback,
                                Convert convert) const {
  const Json* value = find(key);
  if (value == nullptr && fallback) return *std::move(fallback);
  if (value == nullptr) fail(key, "is missing, expected a list");
  if (!value->is_array()) fail(key, fmt::format("is {}, expected a list", shown(*value)));
  if (value->size() > kMaxList)
    fail(key, fmt::format("holds {} entries, at most {} are read", value->size(), kMaxList));
  std::vector<T> entries;
  for (const Json& entry : *value) {
    std::optional<T> converted = convert(entry);
    if (!converted)
      fail(key, fmt::format("holds {} as its entry {}", shown(entry), entries.size()));
    entries.push_back(*std::move(converted));
  }
  return entries;
}

std::vector<int64_t> ConfigView::integers(std::string_view key,
                                          std::optional<std::vector<int64_t>> fallback) const {
  return list(key, std::move(fallback), whole_number);
}

std::vector<double> ConfigView::numbers(std::string_view key,
                                        std::optional<std::vector<double>> fallback) const {
  return list(key, std::move(fallback), finite_number);
}

std::vector<std::string> ConfigView::texts(std::string_view key,
                                           std::optional<std::vector<std::string>> fallback) const {
  return list(key, std::move(fallback), [](const Json& entry) {
    return entry.is_string() ? std::optional(entry.get<std::string>()) : std::nullopt;
  });
}

ConfigView ConfigView::sub(std::string_view key) const {
  const Json* value = find(key);
  std::string where = fmt::format("{}: {}", where_, key);
  if (value == nullptr) return {empty_object(), std::move(where)};
  if (!value->is_object()) fail(key, fmt::format("is {}, expected an object", shown(*value)));
  return {*value, std::move(where)};
}

ConfigView ConfigView::sub_with_twin(std::string_view key) const {
  std::string twin = fmt::format("{}_dict", key);
  return sub(has(twin) ? std::string_view(twin) : key);
}

}  // namespace snellen::models
