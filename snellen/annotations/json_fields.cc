// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/json_fields.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

template <typename T>
std::optional<T> value_in(dom::object object, std::string_view key) {
  T value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

}  // namespace

Result<dom::object> parse_object(std::string_view json, std::string_view where) {
  // A parser owns its tape; making one per record would cost more than the record. It is scratch
  // memory only: nothing read from it outlives the caller's next parse.
  thread_local dom::parser parser;
  dom::object object;
  simdjson::error_code code = parser.parse(json.data(), json.size()).get(object);
  if (code == simdjson::SUCCESS) return object;
  return bad_record(
      code == simdjson::INCORRECT_TYPE ? "is not an object" : simdjson::error_message(code), where);
}

std::optional<int64_t> integer_in(dom::object object, std::string_view key) {
  return value_in<int64_t>(object, key);
}

std::optional<double> number_in(dom::object object, std::string_view key) {
  return value_in<double>(object, key);
}

std::optional<std::string_view> text_in(dom::object object, std::string_view key) {
  return value_in<std::string_view>(object, key);
}

std::optional<dom::array> list_in(dom::object object, std::string_view key) {
  return value_in<dom::array>(object, key);
}

Error bad_record(std::string what, std::string_view where) {
  return Error{ErrorCode::kInvalidInput, std::move(what), std::string(where), "fix the record"};
}

}  // namespace snellen::annotations
