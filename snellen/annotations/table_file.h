// SPDX-License-Identifier: Apache-2.0
// A table on disk whose records are read in any order: the file is mapped and split once, and a
// record is parsed when it is asked for. The same formats and messages as TableReader.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "snellen/annotations/tabular.h"
#include "snellen/base/files.h"
#include "snellen/formats/json_elements.h"

namespace snellen::annotations {

// Memory is about 24 bytes per record, whatever its size. Const methods are safe from many threads.
class TableFile {
 public:
  // Throws kNotFound, and kInvalidInput where the structure is broken (a bracket or quote that
  // never closes, a record over 64 MiB).
  explicit TableFile(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }
  TableFormat format() const { return format_; }
  size_t size() const { return array_ ? array_->size() : records_.size(); }
  // A record that is bad in itself comes as a row with failed().
  TableRow row(size_t number) const;

 private:
  struct Record {
    uint64_t begin;
    uint64_t length;
    uint64_t line;
  };

  void split_lines(std::string_view bytes);
  void split_csv(std::string_view bytes);
  void keep(size_t begin, size_t end, uint64_t line);
  [[noreturn]] void fail(std::string what, uint64_t line) const;

  std::filesystem::path path_;
  TableFormat format_ = TableFormat::kCsv;
  std::optional<formats::JsonElements> array_;  // of a JSON array
  std::optional<MappedFile> file_;              // of the other formats
  std::vector<Record> records_;
  CsvHeader header_;  // of CSV
};

}  // namespace snellen::annotations
