// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/tabular.h"
#include "snellen/base/parse_number.h"
#include "snellen/formats/csv.h"

namespace snellen::annotations {
namespace {

using Kind = TableCell::Kind;

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kText:
      return "a text";
    case Kind::kNumber:
      return "a number";
    case Kind::kFlag:
      return "true or false";
    case Kind::kList:
      return "a list";
    case Kind::kOther:
      return "an object";
  }
  return "something else";
}

std::string_view without_space(std::string_view text) {
  size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
}

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  text = without_space(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_number<Number>(text);
}

// The items of a CSV cell: ["a", "b"] or a|b. Only what such a list may hold is understood: texts
// and numbers.
std::optional<std::vector<TableCell>> list_in(std::string_view text) {
  std::vector<TableCell> items;
  text = without_space(text);
  if (!text.starts_with('[')) {
    while (true) {
      size_t end = std::min(text.find('|'), text.size());
      items.push_back(
          {.kind = Kind::kText, .text = std::string(without_space(text.substr(0, end)))});
      if (end == text.size()) return items;
      text.remove_prefix(end + 1);
    }
  }
  if (!text.ends_with(']')) return std::nullopt;
  text = without_space(text.substr(1, text.size() - 2));
  while (!text.empty()) {
    TableCell item;
    if (text.front() == '"') {
      item.kind = Kind::kText;
      size_t at = 1;
      for (; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\' && at + 1 < text.size()) ++at;
        item.text.push_back(text[at]);
      }
      if (at >= text.size()) return std::nullopt;
      text.remove_prefix(at + 1);
    } else {
      item.kind = Kind::kNumber;
      size_t end = std::min(text.find(','), text.size());
      item.text = std::string(without_space(text.substr(0, end)));
      text.remove_prefix(end);
    }
    items.push_back(std::move(item));
    text = without_space(text);
    if (text.empty()) break;
    if (text.front() != ',') return std::nullopt;
    text = without_space(text.substr(1));
  }
  return items;
}

}  // namespace

CsvHeader read_csv_header(std::string_view record, std::string where) {
  CsvHeader header;
  header.delimiter = formats::csv_delimiter(record);
  header.columns = formats::split_csv(record, header.delimiter);
  const std::set<std::string> distinct(header.columns.begin(), header.columns.end());
  if (distinct.size() != header.columns.size()) {
    throw Error{ErrorCode::kInvalidInput,
                "two columns have the same name",
                std::move(where),
                "give each column a name of its own"};
  }
  return header;
}

void TableRow::read_csv(std::string_view record, const CsvHeader& header) {
  std::vector<std::string> fields = formats::split_csv(record, header.delimiter);
  if (fields.size() != header.columns.size()) {
    return fail(
        fmt::format("has {} fields, the header has {}", fields.size(), header.columns.size()));
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    fields_.emplace_back(header.columns[i],
                         TableCell{.kind = Kind::kText, .text = std::move(fields[i])});
  }
}

void TableRow::fail(std::string what) {
  if (error_) return;
  error_ = Error{ErrorCode::kInvalidInput, std::move(what), where_, "fix the record"};
}

const TableCell* TableRow::find(std::string_view name) const {
  for (const auto& [key, cell] : fields_) {
    if (key == name) return &cell;
  }
  return nullptr;
}

bool TableRow::is_null(std::string_view name) const {
  const TableCell* cell = find(name);
  return cell != nullptr && cell->kind == Kind::kNull;
}

std::optional<std::string> TableRow::text(std::string_view name) {
  const TableCell* cell = find(name);
  if (cell == nullptr || cell->kind == Kind::kNull) return std::nullopt;
  if (cell->kind == Kind::kList || cell->kind == Kind::kOther) {
    fail(fmt::format("'{}' is {}, expected a text", name, name_of(cell->kind)));
    return std::nullopt;
  }
  return cell->text;
}

std::optional<std::string> TableRow::text_of(std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) {
    if (has(name)) return text(name);
  }
  return std::nullopt;
}

std::optional<int64_t> TableRow::integer(std::string_view name) {
  const TableCell* cell = find(name);
  if (cell == nullptr || cell->kind == Kind::kNull) return std::nullopt;
  if (is_csv_ && without_space(cell->text).empty()) return std::nullopt;
  if (cell->kind == Kind::kNumber || cell->kind == Kind::kText) {
    if (auto value = number_of<int64_t>(cell->text)) return value;
    // 1.0 is how some tables write 1.
    auto real = number_of<double>(cell->text);
    if (real && *real == std::floor(*real) && std::abs(*real) < 1e15)
      return static_cast<int64_t>(*real);
  }
  fail(fmt::format("'{}' is {}, expected a whole number",
                   name,
                   cell->kind == Kind::kText || cell->kind == Kind::kNumber
                       ? fmt::format("\"{}\"", cell->text.substr(0, 80))
                       : std::string(name_of(cell->kind))));
  return std::nullopt;
}

std::optional<double> TableRow::number(std::string_view name) {
  const TableCell* cell = find(name);
  if (cell == nullptr || cell->kind == Kind::kNull) return std::nullopt;
  if (is_csv_ && without_space(cell->text).empty()) return std::nullopt;
  if (cell->kind == Kind::kNumber || cell->kind == Kind::kText) {
    auto value = number_of<double>(cell->text);
    if (value && std::isfinite(*value)) return value;
  }
  fail(fmt::format("'{}' is not a finite number", name));
  return std::nullopt;
}

std::optional<std::vector<std::string>> TableRow::texts(std::string_view name) {
  const TableCell* cell = find(name);
  if (cell == nullptr || cell->kind == Kind::kNull) return std::nullopt;
  std::optional<std::vector<TableCell>> list;
  if (cell->kind == Kind::kList) {
    list = cell->list;
  } else if (is_csv_) {
    if (without_space(cell->text).empty()) return std::nullopt;
    list = list_in(cell->text);
  }
  if (!list) {
    fail(fmt::format("'{}' is {}, expected a list", name, name_of(cell->kind)));
    return std::nullopt;
  }
  std::vector<std::string> all;
  for (TableCell& item : *list) {
    if (item.kind != Kind::kText && item.kind != Kind::kNumber) {
      fail(fmt::format(
          "'{}' holds {} at place {}, expected texts", name, name_of(item.kind), all.size()));
      return std::nullopt;
    }
    all.push_back(std::move(item.text));
  }
  return all;
}

std::optional<std::vector<int64_t>> TableRow::integers(std::string_view name) {
  std::optional<std::vector<std::string>> items = texts(name);
  if (!items) return std::nullopt;
  std::vector<int64_t> all;
  for (const std::string& item : *items) {
    std::optional<int64_t> value = number_of<int64_t>(item);
    if (!value) {
      fail(fmt::format("'{}' holds \"{}\", expected whole numbers", name, item.substr(0, 80)));
      return std::nullopt;
    }
    all.push_back(*value);
  }
  return all;
}

}  // namespace snellen::annotations
