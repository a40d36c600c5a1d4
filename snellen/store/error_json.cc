// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/error_json.h"

#include <nlohmann/json.hpp>

#include "snellen/base/python_json.h"
#include "snellen/formats/json.h"

namespace snellen::store {

std::string error_to_json(const Error& error) {
  return fmt::format(R"({{"code":{},"what":{},"where":{},"hint":{}}})",
                     json_string(name_of(error.code())),
                     json_string(error.message()),
                     json_string(error.where()),
                     json_string(error.hint()));
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
