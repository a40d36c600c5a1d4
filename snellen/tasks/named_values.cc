// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/named_values.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "snellen/formats/python_json_parser.h"

namespace snellen::tasks {
namespace {

namespace dom = simdjson::dom;
using Entry = NamedValues::Entry;

// Entries of one object; their names are looked at from `skipped` on.
JsonObject object_of(std::span<const Entry> entries, size_t skipped) {
  JsonObject object;
  for (size_t i = 0; i < entries.size();) {
    const std::string_view name = entries[i].name;
    const size_t slash = name.find('/', skipped);
    if (slash == std::string_view::npos) {
      std::visit(
          [&](const auto& value) {
            object.add({{name.substr(skipped), value}});
          },
          entries[i++].value);
      continue;
    }
    size_t end = i + 1;
    while (end < entries.size() && entries[end].name.starts_with(name.substr(0, slash + 1))) ++end;
    object.add({{name.substr(skipped, slash - skipped),
                 object_of(entries.subspan(i, end - i), slash + 1)}});
    i = end;
  }
  return object;
}

Error wrong_type(std::string_view name) {
  return Error{ErrorCode::kInvalidInput,
               fmt::format("'{}' is not what its task stored", name),
               "samples.db",
               "it was changed by another program; score again with --overwrite"};
}

template <typename T>
std::optional<T> held(const NamedValue& value) {
  if (const auto* same = std::get_if<T>(&value)) return *same;
  if constexpr (std::is_same_v<T, double>) {
    if (const auto* whole = std::get_if<int64_t>(&value)) return static_cast<double>(*whole);
  }
  if constexpr (std::is_same_v<T, std::vector<double>>) {
    if (const auto* whole = std::get_if<std::vector<int64_t>>(&value))
      return T(whole->begin(), whole->end());
  }
  return std::nullopt;
}

// A list without elements is of any type.
bool is_empty_list(const NamedValue& value) {
  const auto* list = std::get_if<std::vector<double>>(&value);
  return list != nullptr && list->empty();
}

}  // namespace

const NamedValue* NamedValues::find(std::string_view name) const {
  const auto found = std::find_if(
      entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &found->value;
}

template <typename T>
T NamedValues::get(std::string_view name, T otherwise) const {
  const NamedValue* value = find(name);
  if (value == nullptr) return otherwise;
  if (std::optional<T> found = held<T>(*value)) return *std::move(found);
  if constexpr (requires { otherwise.push_back(otherwise.front()); }) {
    if (is_empty_list(*value)) return {};
  }
  throw wrong_type(name);
}

template bool NamedValues::get(std::string_view, bool) const;
template int64_t NamedValues::get(std::string_view, int64_t) const;
template double NamedValues::get(std::string_view, double) const;
template std::string NamedValues::get(std::string_view, std::string) const;
template std::vector<double> NamedValues::get(std::string_view, std::vector<double>) const;
template std::vector<int64_t> NamedValues::get(std::string_view, std::vector<int64_t>) const;
template std::vector<std::string> NamedValues::get(std::string_view,
                                                   std::vector<std::string>) const;

JsonObject NamedValues::object() const {
  return object_of(entries_, 0);
}

std::string NamedValues::to_json() const {
  return entries_.empty() ? std::string() : JsonValue(object()).written(style_);
}

struct NamedValuesReader::Parser {
  formats::PythonJsonParser json;

  // Null, NaN and infinities count as numbers.
  std::optional<NamedValue> scalar(dom::element element) const {
    if (element.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (element.is_bool()) return bool(element);
    if (element.is_int64()) return int64_t(element);
    if (std::optional<double> number = json.number(element)) return *number;
    if (element.is_string()) return std::string(std::string_view(element));
    return std::nullopt;
  }

  std::optional<NamedValue> list(dom::array array) const {
    std::vector<double> numbers;
    std::vector<int64_t> whole;
    std::vector<std::string> texts;
    size_t count = 0;
    for (dom::element element : array) {
      ++count;
      const std::optional<NamedValue> one = scalar(element);
      if (!one) return std::nullopt;
      if (const auto* text = std::get_if<std::string>(&*one)) texts.push_back(*text);
      if (const auto* integer = std::get_if<int64_t>(&*one)) whole.push_back(*integer);
      if (std::optional<double> number = held<double>(*one)) numbers.push_back(*number);
    }
    if (count > 0 && whole.size() == count) return whole;
    if (count > 0 && texts.size() == count) return texts;
    if (numbers.size() == count) return numbers;
    return std::nullopt;
  }

  // Members of an object within are named "object/member", as they were put. False for what was
  // never written. The depth of the text is limited.
  bool read(dom::object object, const std::string& start, NamedValues& values) const {
    for (const dom::key_value_pair member : object) {
      const std::string name = start + std::string(member.key);
      if (member.value.is_object()) {
        const dom::object within = member.value;
        if (within.size() == 0 || !read(within, name + "/", values)) return false;
        continue;
      }
      std::optional<NamedValue> value =
          member.value.is_array() ? list(dom::array(member.value)) : scalar(member.value);
      if (!value) return false;
      values.put(name, *std::move(value));
    }
    return true;
  }
};

NamedValuesReader::NamedValuesReader() : parser_(std::make_unique<Parser>()) {}
NamedValuesReader::~NamedValuesReader() = default;

NamedValues NamedValuesReader::read(std::string_view json, std::string_view where) {
  NamedValues values;
  if (json.empty()) return values;
  auto damaged = [&] {
    return Error{ErrorCode::kInvalidInput,
                 "what is stored of it beside its values cannot be read",
                 std::string(where),
                 "it was changed by another program; score again with --overwrite"};
  };
  const Result<dom::element> root = parser_->json.parse(json, where);
  if (!root || !root->is_object()) throw damaged();
  if (!parser_->read(dom::object(*root), "", values)) throw damaged();
  return values;
}

}  // namespace snellen::tasks
