// SPDX-License-Identifier: Apache-2.0
// Values by name: what a task keeps of an item beyond its columns, and what it adds to
// run_meta.json.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "snellen/base/error.h"
#include "snellen/base/json_object.h"

namespace snellen::tasks {

using NamedValue = std::variant<bool,
                                int64_t,
                                double,
                                std::string,
                                std::vector<double>,
                                std::vector<int64_t>,
                                std::vector<std::string>>;

// In the order in which they were put. Names with a '/' stand for objects within objects.
class NamedValues {
 public:
  struct Entry {
    std::string name;
    NamedValue value;
  };

  NamedValues() = default;
  explicit NamedValues(JsonStyle style) : style_(style) {}

  void put(std::string name, NamedValue value) {
    entries_.push_back({std::move(name), std::move(value)});
  }

  bool empty() const { return entries_.empty(); }
  const std::vector<Entry>& entries() const { return entries_; }
  const NamedValue* find(std::string_view name) const;
  // The value of a name, or `otherwise` where there is none; throws kInvalidInput when it is
  // something else than a T.
  template <typename T>
  T get(std::string_view name, T otherwise = {}) const;

  // Views of these names.
  JsonObject object() const;
  const JsonStyle& style() const { return style_; }
  // One object, without a line break; nothing when there is no value.
  std::string to_json() const;

 private:
  JsonStyle style_;
  std::vector<Entry> entries_;
};

// Reads what to_json() writes. One thread at a time; reuse it: it keeps its memory.
class NamedValuesReader {
 public:
  NamedValuesReader();
  ~NamedValuesReader();
  // Throws kInvalidInput, naming `where`, for anything but an object of values and lists of them.
  NamedValues read(std::string_view json, std::string_view where);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace snellen::tasks
