// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "snellen/base/json_object.h"

namespace snellen::store {

// What a task keeps of an item beyond its columns: JSON text, taken apart into its values and the
// text around them, so that values can be stored by name and the text comes back byte by byte.
struct Detail {
  std::string shape = {};  // the JSON with a hole for every value that is kept apart
  std::vector<std::variant<int64_t, double>> numbers = {};  // in the order of their holes
  std::vector<std::string> texts = {};

  // What of_json() gives for the value written in that style, without reading it again.
  static Detail of(const JsonValue& value, const JsonStyle& style);
  // Safe for any text: what is no JSON stays in the shape.
  static Detail of_json(std::string_view json);
  // Throws kInvalidInput where holes and values do not fit.
  std::string json() const;
  bool empty() const { return shape.empty(); }
  bool operator==(const Detail&) const = default;
};

// What a hole is called: the keys that lead to it, joined by dots, and its place in the innermost
// list.
struct DetailHole {
  bool is_text = false;
  std::string name;
  uint32_t place = 0;
};
std::vector<DetailHole> holes_of(std::string_view shape);

}  // namespace snellen::store
