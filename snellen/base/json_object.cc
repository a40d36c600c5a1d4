// SPDX-License-Identifier: Apache-2.0
#include "snellen/base/json_object.h"

namespace snellen {
namespace {

struct Writer {
  std::string& out;
  const JsonStyle& style;
  const JsonValue::Replace& replace;

  void operator()(const JsonText& json) const { out += json.text; }
  void operator()(const std::string& text) const { quote(text); }
  void operator()(bool flag) const { out += flag ? "true" : "false"; }
  void operator()(int64_t number) const { out += fmt::to_string(number); }
  void operator()(double number) const { append_python_float(out, number, style.non_finite); }
  void operator()(const JsonValue::List& list) const {
    out += '[';
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0) comma();
      list[i].append_to(out, style, replace);
    }
    out += ']';
  }
  void operator()(const JsonValue::Members& members) const {
    out += '{';
    for (size_t i = 0; i < members.size(); ++i) {
      if (i > 0) comma();
      quote(members[i].first);
      out += style.is_compact ? ":" : ": ";
      members[i].second.append_to(out, style, replace);
    }
    out += '}';
  }

 private:
  void comma() const { out += style.is_compact ? "," : ", "; }
  void quote(std::string_view text) const {
    style.is_ascii ? append_python_string(out, text) : append_json_string(out, text);
  }
};

}  // namespace

JsonValue::JsonValue(const JsonValue& other) = default;
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue& other) = default;
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(JsonObject object) : held_(std::move(object.members_)) {}

void JsonValue::append_to(std::string& out, const JsonStyle& style, const Replace& replace) const {
  if (!replace || !replace(held_, out)) std::visit(Writer{out, style, replace}, held_);
}

std::string JsonValue::written(const JsonStyle& style) const {
  std::string out;
  append_to(out, style);
  return out;
}

JsonObject::JsonObject(std::initializer_list<Member> members) : members_(members) {}

JsonObject& JsonObject::add(std::initializer_list<Member> members) {
  members_.insert(members_.end(), members);
  return *this;
}

JsonObject& JsonObject::add(const JsonObject& more) {
  members_.insert(members_.end(), more.members_.begin(), more.members_.end());
  return *this;
}

JsonText JsonObject::as_ascii() const {
  return {JsonValue(*this).written(kAsciiJson)};
}

JsonText JsonObject::as_utf8() const {
  return {JsonValue(*this).written(kUtf8Json)};
}

JsonText python_object(std::initializer_list<JsonObject::Member> members) {
  return JsonObject(members).as_ascii();
}

JsonText json_object(std::initializer_list<JsonObject::Member> members) {
  return JsonObject(members).as_utf8();
}

}  // namespace snellen
