// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <simdjson.h>

#include "snellen/base/error.h"

namespace snellen::annotations {

// One JSON object being read key by key. The first thing that is wrong is kept, later reads give
// empty values, and the reader asks failed() once at the end: a bad record is data, not a reason to
// stop. NaN and Infinity are read as null, so that only the list that holds them is refused. One
// thread at a time; at most one Record lives in a thread, because they share that thread's parser.
class Record {
 public:
  // `where` names file and record in messages. The text needs no padding; one of `limit_bytes` and
  // more is refused.
  Record(std::string_view json, std::string where, size_t limit_bytes = SIZE_MAX);

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void fail(std::string what, std::string hint = "fix the record; the others are not affected");

  bool has(std::string_view key) const { return find(key).has_value(); }
  // Nothing where the key is absent or something was wrong before.
  std::optional<simdjson::dom::element> find(std::string_view key) const;
  const std::optional<simdjson::dom::object>& object() const { return object_; }

  // Each of these fails for a key that is absent.
  std::string text(const char* key);
  // A number or a text that holds one, as text: image ids are both in published files.
  std::string id(const char* key);
  int64_t integer(const char* key);
  std::vector<std::string> texts(const char* key);
  std::vector<int64_t> integers(const char* key);
  // A row of finite numbers; wants `count` of them unless count is 0.
  std::vector<double> numbers(const char* key, size_t count = 0);
  // A matrix row by row, every row `columns` long.
  std::vector<std::vector<double>> rows(const char* key, size_t columns);
  // A row of finite numbers at outer.inner.
  std::vector<double> numbers_within(const char* outer, const char* inner);
  // The keys of an object, in file order.
  std::vector<std::string> keys_of(const char* key);

 private:
  std::optional<simdjson::dom::element> require(const char* key);
  std::optional<simdjson::dom::array> require_list(const char* key);
  std::vector<double> finite_numbers(simdjson::dom::array array, std::string_view name);

  std::string where_;
  std::optional<simdjson::dom::object> object_;
  bool had_non_finite_ = false;
  std::optional<Error> error_;
};

}  // namespace snellen::annotations
