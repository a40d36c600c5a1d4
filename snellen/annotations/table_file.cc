// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/table_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "snellen/formats/csv.h"

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
  uint64_t line = 1, first_line = 1;
  size_t begin = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  formats::CsvScanner scanner;
  for (size_t at = begin; at < bytes.size(); ++at) {
    const bool is_end = scanner.ends_record(bytes[at]);
    line += bytes[at] == '\n' ? 1 : 0;
    if (!is_end && at + 1 < bytes.size()) continue;
    if (scanner.is_quoted()) fail("a quote never closes", first_line);
    const std::string_view record = bytes.substr(begin, at + 1 - begin);
    const bool is_blank = formats::is_blank_csv(record);
    if (!is_blank && header_.columns.empty()) {
      header_ = read_csv_header(record, fmt::format("{}: line {}", path_.string(), first_line));
      scanner = formats::CsvScanner(header_.delimiter);
    } else if (!is_blank) {
      keep(begin, at + 1, first_line);
    }
    begin = at + 1;
    first_line = line;
  }
}

TableRow TableFile::row(size_t number) const {
  TableRow row;
  row.entry_ = number;
  row.is_csv_ = format_ == TableFormat::kCsv;
  row.where_ = array_ ? fmt::format("{}: entry {}", path_.string(), number)
                      : fmt::format("{}: line {}", path_.string(), records_[number].line);
  const std::string_view text =
      array_ ? array_->element(number)
             : file_->bytes().substr(records_[number].begin, records_[number].length);
  row.is_csv_ ? row.read_csv(text, header_) : row.read_json(text);
  return row;
}

}  // namespace snellen::annotations
