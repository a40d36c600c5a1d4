// SPDX-License-Identifier: Apache-2.0
#include "snellen/media/processor/config_keys.h"

#include <cmath>

#include <fmt/format.h>

#include "snellen/formats/json.h"

namespace snellen::media {
namespace {

constexpr int kMaxSide = 32768;

}  // namespace

ConfigKeys::ConfigKeys(std::string_view json, std::string_view where)
    : object_(formats::parse_json_object(json, std::string(where))), where_(where) {}

ConfigKeys::ConfigKeys(nlohmann::json object, std::string where)
    : object_(std::move(object)), where_(std::move(where)) {}

void ConfigKeys::refuse(std::string_view key, std::string_view why) const {
  throw Error{ErrorCode::kInvalidInput, fmt::format("'{}' {}", key, why), where_};
}

const nlohmann::json* ConfigKeys::find(const char* key) const {
  auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

bool ConfigKeys::has(const char* key) const {
  return find(key) != nullptr;
}

bool ConfigKeys::flag(const char* key, bool otherwise) const {
  const nlohmann::json* value = find(key);
  if (!value) return otherwise;
  if (!value->is_boolean()) refuse(key, "is not true or false");
  return value->get<bool>();
}

double ConfigKeys::number(const char* key, double otherwise) const {
  const nlohmann::json* value = find(key);
  if (!value) return otherwise;
  if (!value->is_number() || !std::isfinite(value->get<double>())) refuse(key, "is not a number");
  return value->get<double>();
}

int ConfigKeys::whole(const char* key, int otherwise, int least, int most) const {
  const nlohmann::json* value = find(key);
  if (!value) return otherwise;
  const bool is_right =
      value->is_number_integer() && value->get<double>() >= least && value->get<double>() <= most;
  if (!is_right) refuse(key, fmt::format("is not a whole number from {} to {}", least, most));
  return value->get<int>();
}

std::string ConfigKeys::text(const char* key, std::string_view otherwise) const {
  const nlohmann::json* value = find(key);
  if (!value) return std::string(otherwise);
  if (!value->is_string()) refuse(key, "is not a string");
  return value->get<std::string>();
}

std::array<double, 3> ConfigKeys::channels(const char* key, std::array<double, 3> otherwise) const {
  const nlohmann::json* value = find(key);
  if (!value) return otherwise;
  if (value->is_number()) {
    double same = number(key, 0);
    return {same, same, same};
  }
  std::array<double, 3> three{};
  if (!value->is_array() || value->size() != three.size())
    refuse(key, "is neither a number nor a list of 3 numbers");
  for (size_t i = 0; i < three.size(); ++i) {
    if (!(*value)[i].is_number()) refuse(key, "is neither a number nor a list of 3 numbers");
    three[i] = (*value)[i].get<double>();
    if (!std::isfinite(three[i])) refuse(key, "holds a number that is not finite");
  }
  return three;
}

int ConfigKeys::side(const nlohmann::json& value, std::string_view key) const {
  // Some published files write sizes as 224.0.
  const bool is_right = value.is_number() && value.get<double>() >= 1 &&
                        value.get<double>() <= kMaxSide &&
                        value.get<double>() == std::floor(value.get<double>());
  if (!is_right) refuse(key, fmt::format("holds a size that is not from 1 to {}", kMaxSide));
  return static_cast<int>(value.get<double>());
}

std::optional<SizeKeys> ConfigKeys::size(const char* key, bool is_square) const {
  const nlohmann::json* value = find(key);
  if (!value) return std::nullopt;
  SizeKeys sizes;
  if (value->is_number()) {
    int one = side(*value, key);
    if (is_square) {
      sizes.height = sizes.width = one;
    } else {
      sizes.shortest_edge = one;
    }
  } else if (value->is_array() && value->size() == 2) {
    sizes.height = side((*value)[0], key);
    sizes.width = side((*value)[1], key);
  } else if (value->is_object()) {
    const std::pair<const char*, std::optional<int>*> names[] = {
        {"height", &sizes.height},
        {"width", &sizes.width},
        {"shortest_edge", &sizes.shortest_edge},
        {"longest_edge", &sizes.longest_edge}};
    for (const auto& [name, target] : names) {
      auto found = value->find(name);
      if (found != value->end() && !found->is_null()) *target = side(*found, key);
    }
  }
  if (!sizes.has_both_sides() && !sizes.shortest_edge)
    refuse(key, "needs a number, [height, width], height and width, or shortest_edge");
  return sizes;
}

ConfigKeys ConfigKeys::object(const char* key) const {
  const nlohmann::json* value = find(key);
  if (value && !value->is_object()) refuse(key, "is not an object");
  return {value ? *value : nlohmann::json::object(), fmt::format("{}: {}", where_, key)};
}

}  // namespace snellen::media
