// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace snellen::formats {

// Copying and writing a nlohmann value recurses once per level, so a text of brackets could end the
// program. No file of ours or of a published model nests deeper than this.
inline constexpr int kMaxJsonDepth = 64;

// True when arrays and objects of the text lie more than `limit` deep. Brackets inside strings do
// not count; the text need not be valid JSON.
bool nests_deeper_than(std::string_view text, int limit = kMaxJsonDepth);

// The value, or a discarded one (`is_discarded()`) for a text that is no JSON or nests too deep.
nlohmann::json parse_json(std::string_view text);
nlohmann::ordered_json parse_ordered_json(std::string_view text);

// The object, or throws kInvalidInput with `where` and `hint` for anything else.
nlohmann::json parse_json_object(std::string_view text,
                                 const std::string& where,
                                 const std::string& hint = {});
nlohmann::ordered_json parse_ordered_json_object(std::string_view text,
                                                 const std::string& where,
                                                 const std::string& hint = {});

}  // namespace snellen::formats
