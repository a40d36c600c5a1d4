// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/tabular_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/base/python_json.h"

namespace snellen::annotations {
namespace {

namespace dom = simdjson::dom;
using Kind = TableCell::Kind;

TableCell cell_of(dom::element element, int depth) {
  TableCell cell;
  switch (element.type()) {
    case dom::element_type::NULL_VALUE:
      break;
    case dom::element_type::STRING:
      cell.kind = Kind::kText;
      cell.text = std::string(std::string_view(element));
      break;
    case dom::element_type::BOOL:
      cell.kind = Kind::kFlag;
      cell.text = bool(element) ? "true" : "false";
      break;
    case dom::element_type::INT64:
      cell.kind = Kind::kNumber;
      cell.text = fmt::format("{}", int64_t(element));
      break;
    case dom::element_type::UINT64:
      cell.kind = Kind::kNumber;
      cell.text = fmt::format("{}", uint64_t(element));
      break;
    case dom::element_type::DOUBLE:
      cell.kind = Kind::kNumber;
      cell.text = python_float(double(element));
      break;
    case dom::element_type::ARRAY:
      if (depth == 0) {
        cell.kind = Kind::kList;
        for (dom::element item : dom::array(element)) cell.list.push_back(cell_of(item, depth + 1));
        break;
      }
      [[fallthrough]];
    case dom::element_type::OBJECT:
      cell.kind = Kind::kOther;
      cell.text = simdjson::minify(element);
      break;
  }
  return cell;
}

// Python writes NaN and Infinity where JSON has nothing for them; null is the nearest. True if
// there were any.
bool put_null_for_non_finite(std::string& json) {
  std::string out;
  bool has_any = false;
  for (size_t at = 0; at < json.size();) {
    if (json[at] == '"') {
      size_t end = at + 1;
      while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, json.size());
      out.append(json, at, end - at);
      at = end;
      continue;
    }
    bool is_token = false;
    for (std::string_view token : {"NaN", "-Infinity", "Infinity"}) {
      if (std::string_view(json).substr(at, token.size()) != token) continue;
      out += "null";
      at += token.size();
      is_token = has_any = true;
      break;
    }
    if (!is_token) out.push_back(json[at++]);
  }
  if (has_any) json = std::move(out);
  return has_any;
}

}  // namespace

std::string read_json_fields(dom::parser& parser,
                             std::string& text,
                             std::vector<std::pair<std::string, TableCell>>& fields) {
  dom::element root;
  auto code = parser.parse(text.data(), text.size(), /*realloc_if_needed=*/true).get(root);
  if (code != simdjson::SUCCESS && put_null_for_non_finite(text)) {
    code = parser.parse(text.data(), text.size(), /*realloc_if_needed=*/true).get(root);
  }
  if (code != simdjson::SUCCESS)
    return fmt::format("not valid JSON: {}", simdjson::error_message(code));
  dom::object object;
  if (root.get(object) != simdjson::SUCCESS) return "is not an object";
  for (dom::key_value_pair field : object)
    fields.emplace_back(std::string(field.key), cell_of(field.value, 0));
  return {};
}

}  // namespace snellen::annotations
