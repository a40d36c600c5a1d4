// SPDX-License-Identifier: Apache-2.0
// The one writer of JSON on one line: values, lists and objects, in the style of Python's
// json.dumps or without blanks.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/python_json.h"

namespace snellen {

struct JsonStyle {
  bool is_compact = false;  // no blanks after ',' and ':'
  bool is_ascii = false;    // other characters are escaped
  NonFinite non_finite = NonFinite::kToken;
};
inline constexpr JsonStyle kAsciiJson = {.is_ascii = true, .non_finite = NonFinite::kNull};
inline constexpr JsonStyle kUtf8Json = {.is_ascii = false, .non_finite = NonFinite::kNull};

// JSON that is already written, apart from text that is still to be quoted.
struct JsonText {
  std::string text;
  operator const std::string&() const { return text; }  // NOLINT(google-explicit-constructor)
};

class JsonObject;

// What may stand in an object or a list; any value converts to it, and any range of such values.
class JsonValue {
 public:
  using List = std::vector<JsonValue>;
  using Members = std::vector<std::pair<std::string_view, JsonValue>>;
  using Held = std::variant<JsonText, std::string, bool, int64_t, double, List, Members>;
  // Writes what shall stand for a value; false where the value is written as it is.
  using Replace = std::function<bool(const Held& value, std::string& out)>;

  // NOLINTBEGIN(google-explicit-constructor)
  JsonValue(JsonText json) : held_(std::move(json)) {}
  JsonValue(std::string text) : held_(std::move(text)) {}
  JsonValue(std::string_view text) : held_(std::string(text)) {}
  JsonValue(const char* text) : held_(std::string(text)) {}
  JsonValue(bool flag) : held_(flag) {}
  JsonValue(double number) : held_(number) {}
  JsonValue(std::nullptr_t = nullptr) : held_(JsonText{"null"}) {}
  JsonValue(JsonObject object);
  template <std::integral T>
  JsonValue(T number) {
    if (std::in_range<int64_t>(number)) {
      held_ = static_cast<int64_t>(number);
    } else {
      held_ = JsonText{fmt::to_string(number)};
    }
  }
  template <typename T>
  JsonValue(const std::optional<T>& value) : JsonValue(value ? JsonValue(*value) : nullptr) {}
  template <std::ranges::input_range T>
  requires(!std::convertible_to<const T&, std::string_view>) JsonValue(const T& values)
      : held_(List(values.begin(), values.end())) {}
  // NOLINTEND(google-explicit-constructor)
  // Not inline: they cost every file that writes JSON a tenth of a second to compile.
  JsonValue(const JsonValue& other);
  JsonValue(JsonValue&& other) noexcept;
  JsonValue& operator=(const JsonValue& other);
  JsonValue& operator=(JsonValue&& other) noexcept;
  ~JsonValue();

  void append_to(std::string& out, const JsonStyle& style, const Replace& replace = nullptr) const;
  std::string written(const JsonStyle& style) const;

 private:
  Held held_;
};

// Members in the order in which they were given.
class JsonObject {
 public:
  using Member = JsonValue::Members::value_type;  // the key outlives the object

  JsonObject() = default;
  JsonObject(std::initializer_list<Member> members);
  JsonObject& add(std::initializer_list<Member> members);
  JsonObject& add(const JsonObject& more);
  bool empty() const { return members_.empty(); }

  JsonText as_ascii() const;  // published files
  JsonText as_utf8() const;   // our own

 private:
  friend class JsonValue;
  JsonValue::Members members_;
};

JsonText python_object(std::initializer_list<JsonObject::Member> members);
JsonText json_object(std::initializer_list<JsonObject::Member> members);

}  // namespace snellen
