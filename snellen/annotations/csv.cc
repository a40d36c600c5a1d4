// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/csv.h"

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::annotations {

std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::string_view where) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string field;
  bool is_quoted = false;
  auto end_row = [&] {
    row.push_back(std::move(field));
    field.clear();
    if (row.size() > 1 || !row.front().empty()) rows.push_back(std::move(row));
    row.clear();
  };
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (is_quoted) {
      if (c != '"') {
        field.push_back(c);
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        field.push_back('"');
        ++at;
      } else {
        is_quoted = false;
      }
    } else if (c == '"' && field.empty()) {
      is_quoted = true;
    } else if (c == ',') {
      row.push_back(std::move(field));
      field.clear();
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      field.push_back(c);
    }
  }
  if (is_quoted) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("a quote opened in row {} never closes", rows.size() + 1),
                std::string(where)};
  }
  if (!field.empty() || !row.empty()) end_row();
  return rows;
}

}  // namespace snellen::annotations
