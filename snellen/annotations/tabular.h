// SPDX-License-Identifier: Apache-2.0
// Records as people have them: a JSON array of objects, JSON lines, or CSV/TSV with a header row,
// from a file or from a stream such as stdin. Read one record at a time; memory holds one record,
// whatever the size of the file.
#pragma once

#include <cstdint>
#include <fstream>
#include <initializer_list>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "snellen/base/error.h"

namespace snellen::annotations {

// A field of a record. Numbers keep their text, so that an id may be 7 or "7".
struct TableCell {
  enum class Kind { kNull, kText, kNumber, kFlag, kList, kOther };
  Kind kind = Kind::kNull;
  std::string text = {};  // also of a number, of true/false, and the JSON of a nested value
  std::vector<TableCell> list = {};  // of kList
};

// The header of a CSV or TSV table.
struct CsvHeader {
  std::vector<std::string> columns;
  char delimiter = ',';
};
// Throws kInvalidInput at `where` when two columns have the same name.
CsvHeader read_csv_header(std::string_view record, std::string where);

// One record. Getters give nothing for a field that is absent or null; the first that is of the
// wrong kind is kept as the record's error, and the reader asks failed() once at the end. One
// thread at a time.
class TableRow {
 public:
  const std::string& where() const {
    return where_;
  }  // "answers.csv: line 7", "result.json: entry 3 (line 41)"
  uint64_t entry() const { return entry_; }  // from 0
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void fail(std::string what);

  // Present, null or not.
  bool has(std::string_view name) const { return find(name) != nullptr; }
  bool is_null(std::string_view name) const;
  // A text, or a number or flag as text.
  std::optional<std::string> text(std::string_view name);
  // The first of several names that is there.
  std::optional<std::string> text_of(std::initializer_list<std::string_view> names);
  // A whole number, or a text that holds one; an empty CSV cell is nothing.
  std::optional<int64_t> integer(std::string_view name);
  // A finite number, or a text that holds one.
  std::optional<double> number(std::string_view name);
  // A list of texts; in CSV a cell that holds a JSON list or parts joined by '|'.
  std::optional<std::vector<std::string>> texts(std::string_view name);
  std::optional<std::vector<int64_t>> integers(std::string_view name);

  const std::vector<std::pair<std::string, TableCell>>& fields() const { return fields_; }

 private:
  friend class TableReader;
  friend class TableFile;
  const TableCell* find(std::string_view name) const;
  // The fields of one JSON object, NaN and Infinity as null; fails for anything else.
  void read_json(std::string_view text);
  // Fails where it has not as many fields as the header.
  void read_csv(std::string_view record, const CsvHeader& header);

  std::vector<std::pair<std::string, TableCell>> fields_;
  std::string where_;
  uint64_t entry_ = 0;
  bool is_csv_ = false;
  std::optional<Error> error_;
};

enum class TableFormat { kAuto, kJsonArray, kJsonLines, kCsv };

struct TableOptions {
  TableFormat format =
      TableFormat::kAuto;  // kAuto: '[' is an array, '{' JSON lines, anything else CSV
  size_t max_record_bytes = size_t{64} << 20;
};

// Throws kNotFound, and kInvalidInput where the structure is broken (a bracket or quote that never
// closes, a record over the limit). A record that is bad in itself comes as a row with failed().
// One thread at a time.
class TableReader {
 public:
  explicit TableReader(const std::string& path, TableOptions options = {});
  // `in` must outlive the reader; `name` is used in messages.
  TableReader(std::istream& in, std::string name, TableOptions options = {});
  ~TableReader();
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;

  // False at the end.
  bool next(TableRow& row);
  TableFormat format() const;

 private:
  class Source;
  void detect_format();
  bool next_in_array(TableRow& row);
  void read_element();
  bool next_line(TableRow& row);
  bool next_csv(TableRow& row);
  // Into text_; nothing at the end of the file.
  std::optional<uint64_t> read_csv_record(char delimiter);
  [[noreturn]] void fail(std::string what, uint64_t line) const;

  std::string name_;
  TableOptions options_;
  std::ifstream file_;
  std::unique_ptr<Source> source_;
  std::string text_;  // of the record that is being read
  CsvHeader header_;
  uint64_t num_entries_ = 0;
  bool is_done_ = false;
};

}  // namespace snellen::annotations
