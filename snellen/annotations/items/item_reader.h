// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <simdjson.h>

#include "snellen/base/error.h"

namespace snellen::annotations {

// Below U+0020: tabs, line breaks and the like.
bool has_control_characters(std::string_view text);

// One JSON object of a file of items, read key by key with the limits of items_file.h. The first
// thing that is wrong is kept and later reads give empty values. One thread at a time; at most one
// lives in a thread at once.
class ItemReader {
 public:
  ItemReader(std::string_view json, std::string where);

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void fail(std::string what, std::string hint = "see docs/your-own-task.md");

  bool has(std::string_view key) const;
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
  std::optional<simdjson::dom::element> find(std::string_view key) const;

  // A text of at most that many bytes; `what` names it in messages.
  std::string text_of(simdjson::dom::element element, const std::string& what, size_t most_bytes);
  // A whole number from 0 to below `end`.
  uint32_t index_of(simdjson::dom::element element, const std::string& what, size_t end);

 private:
  std::string where_;
  std::optional<simdjson::dom::object> object_;
  std::optional<Error> error_;
};

}  // namespace snellen::annotations
