// SPDX-License-Identifier: Apache-2.0
#include "snellen/formats/csv.h"

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::formats {

bool CsvScanner::ends_record(char c) {
  const bool is_delimiter = delimiter_ == '\0' ? c == ',' || c == '\t' : c == delimiter_;
  switch (state_) {
    case State::kQuoted:
      if (c == '"') state_ = State::kAfterQuote;
      return false;
    case State::kAfterQuote:
      state_ = c == '"' ? State::kQuoted : State::kField;
      break;
    case State::kFieldStart:
      // A carriage return is no content: a quote may still open the field.
      if (c != '\r') state_ = c == '"' ? State::kQuoted : State::kField;
      break;
    case State::kField:
      break;
  }
  if (state_ == State::kQuoted) return false;
  if (is_delimiter || c == '\n') state_ = State::kFieldStart;
  return c == '\n';
}

char csv_delimiter(std::string_view header) {
  bool has_tab = false;
  CsvScanner scanner;
  for (char c : header) {
    scanner.ends_record(c);
    if (scanner.is_quoted()) continue;
    if (c == ',') return ',';
    has_tab = has_tab || c == '\t';
  }
  return has_tab ? '\t' : ',';
}

bool is_blank_csv(std::string_view record) {
  const size_t begin = record.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return true;
  return record.substr(begin, record.find_last_not_of(" \t\r\n") + 1 - begin) == "\"\"";
}

std::vector<std::string> split_csv(std::string_view record, char delimiter) {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  bool was_quoted = false;
  for (size_t at = 0; at < record.size(); ++at) {
    const char c = record[at];
    if (is_quoted) {
      if (c != '"') {
        fields.back().push_back(c);
      } else if (at + 1 < record.size() && record[at + 1] == '"') {
        fields.back().push_back(record[++at]);
      } else {
        is_quoted = false;
      }
    } else if (c == '"' && fields.back().empty() && !was_quoted) {
      is_quoted = was_quoted = true;
    } else if (c == delimiter) {
      fields.emplace_back();
      was_quoted = false;
    } else if (c != '\r' && c != '\n') {
      fields.back().push_back(c);
    }
  }
  return fields;
}

std::vector<std::vector<std::string>> parse_csv(std::string_view text, std::string_view where) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<std::vector<std::string>> rows;
  CsvScanner scanner(',');
  for (size_t begin = 0, at = 0; at < text.size(); ++at) {
    const bool is_end = scanner.ends_record(text[at]);
    if (!is_end && at + 1 < text.size()) continue;
    if (scanner.is_quoted()) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("a quote opened in row {} never closes", rows.size() + 1),
                  std::string(where)};
    }
    const std::string_view record = text.substr(begin, at + 1 - begin);
    if (!is_blank_csv(record)) rows.push_back(split_csv(record, ','));
    begin = at + 1;
  }
  return rows;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace snellen::formats
