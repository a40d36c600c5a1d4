// SPDX-License-Identifier: Apache-2.0
// Typed reads of one parsed JSON object, for readers of nested records. Each gives nothing where
// the key is absent, null or of another kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "snellen/base/error.h"

namespace snellen::annotations {

// Parses with the calling thread's parser: the object lives until the thread parses again. The text
// needs no padding. An error (kInvalidInput at `where`) for text that is no JSON object, not UTF-8
// included.
Result<simdjson::dom::object> parse_object(std::string_view json, std::string_view where);

std::optional<int64_t> integer_in(simdjson::dom::object object, std::string_view key);
std::optional<double> number_in(simdjson::dom::object object, std::string_view key);
std::optional<std::string_view> text_in(simdjson::dom::object object, std::string_view key);
std::optional<simdjson::dom::array> list_in(simdjson::dom::object object, std::string_view key);

// What is wrong with a record: "'key' is not a whole number" and the like.
Error bad_record(std::string what, std::string_view where);

}  // namespace snellen::annotations
