// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <simdjson.h>

#include "snellen/annotations/tabular.h"

namespace snellen::annotations {

// The fields of one JSON object, NaN and Infinity as null. Gives what is wrong with it, or nothing.
std::string read_json_fields(simdjson::dom::parser& parser,
                             std::string_view text,
                             std::vector<std::pair<std::string, TableCell>>& fields);

}  // namespace snellen::annotations
