// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "snellen/annotations/record.h"

namespace snellen::annotations {

// Below U+0020: tabs, line breaks and the like.
bool has_control_characters(std::string_view text);

// A Record of a file of items, read with the limits of items_file.h.
class ItemReader : public Record {
 public:
  ItemReader(std::string_view json, std::string where);

  void fail(std::string what, std::string hint = "see docs/your-own-task.md");

  // Fails for a key that is none of `known`, with the nearest one.
  void check_keys(std::initializer_list<std::string_view> known, std::string_view kind);
  void check_keys(simdjson::dom::object object,
                  std::initializer_list<std::string_view> known,
                  std::string_view kind);

  // Absent keys give empty values; those of another kind fail.
  std::string text(std::string_view key, size_t most_bytes);
  // A text of one line, for ids and tables.
  std::string name(std::string_view key);
  // The name or number at "id"; `line_number` where there is none.
  std::string id(uint64_t line_number);
  int64_t count(std::string_view key);
  std::optional<simdjson::dom::array> list(std::string_view key);

  // A text of at most that many bytes; `what` names it in messages.
  std::string text_of(simdjson::dom::element element, const std::string& what, size_t most_bytes);
  // A whole number from 0 to below `end`.
  uint32_t index_of(simdjson::dom::element element, const std::string& what, size_t end);
};

}  // namespace snellen::annotations
