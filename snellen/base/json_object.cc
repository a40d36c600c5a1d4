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

void JsonValue::append_to(std::string& out, const JsonStyle& style, const Replace& replace) const {
  if (!replace || !replace(held_, out)) std::visit(Writer{out, style, replace}, held_);
}

std::string JsonValue::written(const JsonStyle& style) const {
  std::string out;
  append_to(out, style);
  return out;
}

}  // namespace snellen
