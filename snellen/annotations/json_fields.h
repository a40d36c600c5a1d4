// SPDX-License-Identifier: Apache-2.0
// The one parser of JSON records, and typed reads of one parsed object for readers of nested
// records. Each read gives nothing where the key is absent, null or of another kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "snellen/base/error.h"

namespace snellen::annotations {

// "a list", "a number" and so on, for messages.
const char* kind_of(simdjson::dom::element element);

struct ParsedObject {
  simdjson::dom::object object;
  bool had_non_finite = false;  // a null may stand for NaN or Infinity
};

// One JSON object, alive until the parser parses again. NaN and Infinity, which Python writes and
// JSON does not know, are read as null. The text needs no padding. An error (kInvalidInput at
// `where`) for text that is no JSON object, not UTF-8 included.
Result<ParsedObject> parse_object(simdjson::dom::parser& parser,
                                  std::string_view json,
                                  std::string_view where);
// The same with the calling thread's parser: the object lives until the thread parses again.
Result<simdjson::dom::object> parse_object(std::string_view json, std::string_view where);

std::optional<int64_t> integer_in(simdjson::dom::object object, std::string_view key);
std::optional<double> number_in(simdjson::dom::object object, std::string_view key);
std::optional<std::string_view> text_in(simdjson::dom::object object, std::string_view key);
std::optional<simdjson::dom::array> list_in(simdjson::dom::object object, std::string_view key);

// What is wrong with a record: "'key' is not a whole number" and the like.
Error bad_record(std::string what, std::string_view where, std::string hint = "fix the record");

}  // namespace snellen::annotations
