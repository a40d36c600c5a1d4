// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <simdjson.h>

#include "snellen/annotations/json_fields.h"
#include "snellen/annotations/tabular.h"
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

}  // namespace

void TableRow::read_json(std::string_view text) {
  Result<dom::object> object = parse_object(text, where_);
  if (!object) return fail(object.error().message());
  for (dom::key_value_pair field : *object)
    fields_.emplace_back(std::string(field.key), cell_of(field.value, 0));
}

}  // namespace snellen::annotations
