// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/table_file.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "snellen/annotations/tabular_json.h"

namespace snellen::annotations {
namespace {

constexpr size_t kMostRecordBytes = size_t{64} << 20;
constexpr std::string_view kSpace = " \t\r\n";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(kSpace) == std::string_view::npos;
}

}  // namespace

TableFile::TableFile(const std::filesystem::path& path) : path_(path) {
  file_.emplace(path);
  std::string_view bytes = file_->bytes();
  size_t start = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  start = std::min(bytes.find_first_not_of(kSpace, start), bytes.size());
  if (start == bytes.size()) return;
  if (bytes[start] == '[') {
    format_ = TableFormat::kJsonArray;
    file_.reset();
    array_.emplace(path);
  } else if (bytes[start] == '{') {
    format_ = TableFormat::kJsonLines;
    split_lines(bytes);
  } else {
    split_csv(bytes);
  }
}

void TableFile::fail(std::string what, uint64_t line) const {
  throw Error{ErrorCode::kInvalidInput,
              std::move(what),
              fmt::format("{}: line {}", path_.string(), line),
              "give a JSON array, JSON lines, or CSV with a header row"};
}

void TableFile::keep(size_t begin, size_t end, uint64_t line) {
  if (end - begin > kMostRecordBytes)
    fail(fmt::format("record has more than {} bytes", kMostRecordBytes), line);
  records_.push_back({begin, end - begin, line});
}

void TableFile::split_lines(std::string_view bytes) {
  uint64_t line = 1;
  size_t at = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (; at < bytes.size(); ++line) {
    size_t end = std::min(bytes.find('\n', at), bytes.size());
    if (!is_blank(bytes.substr(at, end - at))) keep(at, end, line);
    at = end + 1;
  }
}

void TableFile::split_csv(std::string_view bytes) {
  uint64_t line = 1;
  size_t at = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  while (at < bytes.size()) {
    const uint64_t first_line = line;
    bool is_quoted = false;
    size_t end = at;
    // Only a quote at the start of a field opens it; doubled quotes inside cancel out.
    for (; end < bytes.size() && (is_quoted || bytes[end] != '\n'); ++end) {
      if (bytes[end] == '\n') ++line;
      if (bytes[end] != '"') continue;
      bool opens = end == at || bytes[end - 1] == ',' || bytes[end - 1] == '\t';
      if (is_quoted && end + 1 < bytes.size() && bytes[end + 1] == '"') {
        ++end;
      } else if (is_quoted || opens) {
        is_quoted = !is_quoted;
      }
    }
    if (is_quoted) fail("a quote never closes", first_line);
    if (!is_blank(bytes.substr(at, end - at))) {
      if (columns_.empty()) {
        read_header(bytes.substr(at, end - at), first_line);
      } else {
        keep(at, end, first_line);
      }
    }
    at = end + 1;
    ++line;
  }
}

void TableFile::read_header(std::string_view header, uint64_t line) {
  if (header.find(',') == std::string_view::npos && header.find('\t') != std::string_view::npos)
    delimiter_ = '\t';
  columns_ = csv_fields(header);
  std::set<std::string> distinct(columns_.begin(), columns_.end());
  if (distinct.size() != columns_.size()) fail("two columns have the same name", line);
}

std::vector<std::string> TableFile::csv_fields(std::string_view record) const {
  std::vector<std::string> fields(1);
  bool is_quoted = false;
  bool was_quoted = false;
  for (size_t at = 0; at < record.size(); ++at) {
    char c = record[at];
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
    } else if (c == delimiter_) {
      fields.emplace_back();
      was_quoted = false;
    } else if (c != '\r') {
      fields.back().push_back(c);
    }
  }
  return fields;
}

TableRow TableFile::row(size_t number) const {
  TableRow row;
  row.entry_ = number;
  row.is_csv_ = format_ == TableFormat::kCsv;
  if (array_) {
    row.where_ = fmt::format("{}: entry {}", path_.string(), number);
  } else {
    row.where_ = fmt::format("{}: line {}", path_.string(), records_[number].line);
  }
  if (format_ != TableFormat::kCsv) {
    std::string text(array_
                         ? array_->element(number)
                         : file_->bytes().substr(records_[number].begin, records_[number].length));
    simdjson::dom::parser parser;
    std::string problem = read_json_fields(parser, text, row.fields_);
    if (!problem.empty()) row.fail(std::move(problem));
    return row;
  }
  std::vector<std::string> fields =
      csv_fields(file_->bytes().substr(records_[number].begin, records_[number].length));
  if (fields.size() != columns_.size()) {
    row.fail(fmt::format("has {} fields, the header has {}", fields.size(), columns_.size()));
    return row;
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    row.fields_.emplace_back(
        columns_[i], TableCell{.kind = TableCell::Kind::kText, .text = std::move(fields[i])});
  }
  return row;
}

}  // namespace snellen::annotations
