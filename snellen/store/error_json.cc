// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/error_json.h"

#include <nlohmann/json.hpp>

#include "snellen/base/json_object.h"
#include "snellen/formats/json.h"

namespace snellen::store {

std::string error_to_json(const Error& error) {
  return JsonValue(JsonObject{{"code", name_of(error.code())},
                              {"what", error.message()},
                              {"where", error.where()},
                              {"hint", error.hint()}})
      .written({.is_compact = true});
}

Error error_from_json(std::string_view json) {
  nlohmann::json parsed = formats::parse_json(json);
  auto text = [&](const char* key) -> std::string {
    if (!parsed.is_object() || !parsed.contains(key) || !parsed[key].is_string()) return {};
    return parsed[key].get<std::string>();
  };
  return Error{error_code_of(text("code")), text("what"), text("where"), text("hint")};
}

}  // namespace snellen::store
