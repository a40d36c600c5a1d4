// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/json.h"

#include "snellen/base/error.h"

namespace snellen::formats {
namespace {

template <typename Json>
Json parse(std::string_view text) {
  if (nests_deeper_than(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

template <typename Json>
Json parse_object(std::string_view text, const std::string& where, const std::string& hint) {
  auto refuse = [&](std::string why) {
    throw Error{ErrorCode::kInvalidInput, std::move(why), where, hint};
  };
  if (nests_deeper_than(text)) refuse(fmt::format("nests deeper than {} levels", kMaxJsonDepth));
  Json json;
  try {
    json = Json::parse(text);
  } catch (const typename Json::exception& error) {
    refuse(fmt::format("is not JSON: {}", error.what()));
  }
  if (!json.is_object()) refuse("is not a JSON object");
  return json;
}

}  // namespace

bool nests_deeper_than(std::string_view text, int limit) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '[':
      case '{':
        if (++depth > limit) return true;
        break;
      case ']':
      case '}':
        --depth;
        break;
      case '"':
        for (++i; i < text.size() && text[i] != '"'; ++i) {
          if (text[i] == '\\') ++i;
        }
        break;
      default:
        break;
    }
  }
  return false;
}

nlohmann::json parse_json(std::string_view text) {
  return parse<nlohmann::json>(text);
}

nlohmann::ordered_json parse_ordered_json(std::string_view text) {
  return parse<nlohmann::ordered_json>(text);
}

nlohmann::json parse_json_object(std::string_view text,
                                 const std::string& where,
                                 const std::string& hint) {
  return parse_object<nlohmann::json>(text, where, hint);
}

nlohmann::ordered_json parse_ordered_json_object(std::string_view text,
                                                 const std::string& where,
                                                 const std::string& hint) {
  return parse_object<nlohmann::ordered_json>(text, where, hint);
}

}  // namespace snellen::formats
