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
// stop. NaN and Infinity, which Python writes and JSON does not know, are read as null, so that
// only the list that holds them is refused. One thread at a time; at most one Record lives in a
// thread, because they share that thread's parser.
class Record {
 public:
  // `where` names file and record in messages. The text needs no padding.
  Record(std::string_view json, std::string where);

  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void fail(std::string what);

  bool has(const char* key) const;
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
  std::optional<simdjson::dom::element> find(const char* key);
  std::optional<simdjson::dom::array> find_array(const char* key);
  std::vector<double> finite_numbers(simdjson::dom::array array, std::string_view name);

  std::string where_;
  std::optional<simdjson::dom::object> object_;
  bool had_non_finite_ = false;
  std::optional<Error> error_;
};

}  // namespace snellen::annotations
