// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "snellen/formats/json_memory.h"
#include "snellen/formats/python_tokens.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;

template <typename T>
std::optional<T> value_in(dom::object object, std::string_view key) {
  T value;
  if (object.at_key(key).get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

// Where a text stops being JSON, counted from 1: simdjson does not tell.
class FirstError : public nlohmann::json_sax<nlohmann::json> {
 public:
  size_t place = 0;  // 0: it is JSON

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception&) override {
    place = position;
    return false;
  }
};

std::string place_of_error(std::string_view json) {
  FirstError error;
  nlohmann::json::sax_parse(json, &error);
  return error.place > 0 ? fmt::format(" (near character {} of the record)", error.place) : "";
}

}  // namespace

const char* kind_of(dom::element element) {
  switch (element.type()) {
    case dom::element_type::ARRAY:
      return "a list";
    case dom::element_type::OBJECT:
      return "an object";
    case dom::element_type::INT64:
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return "a number";
    case dom::element_type::STRING:
      return "a text";
    case dom::element_type::BOOL:
      return "true or false";
    case dom::element_type::NULL_VALUE:
      return "null";
  }
  return "something else";
}

Result<ParsedObject> parse_object(dom::parser& parser,
                                  std::string_view json,
                                  std::string_view where) {
  ParsedObject parsed;
  dom::element root;
  simdjson::error_code code = parser.parse(json.data(), json.size()).get(root);
  formats::expect_memory(code);
  if (code != simdjson::SUCCESS) {
    if (auto plain = formats::replace_python_tokens(json, formats::TokensAs::kNull)) {
      parsed.had_non_finite = true;
      code = parser.parse(*plain).get(root);
    }
  }
  formats::expect_memory(code);
  if (code != simdjson::SUCCESS)
    return bad_record(
        fmt::format("not valid JSON: {}{}", simdjson::error_message(code), place_of_error(json)),
        where);
  if (root.get(parsed.object) != simdjson::SUCCESS)
    return bad_record(fmt::format("is {}, expected an object", kind_of(root)), where);
  return parsed;
}

Result<dom::object> parse_object(std::string_view json, std::string_view where) {
  // A parser owns its tape; making one per record would cost more than the record. It is scratch
  // memory only: nothing read from it outlives the caller's next parse.
  thread_local dom::parser parser;
  Result<ParsedObject> parsed = parse_object(parser, json, where);
  if (!parsed) return parsed.error();
  return parsed->object;
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

Error bad_record(std::string what, std::string_view where, std::string hint) {
  return Error{ErrorCode::kInvalidInput, std::move(what), std::string(where), std::move(hint)};
}

}  // namespace snellen::annotations
