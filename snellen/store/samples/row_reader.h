// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "snellen/store/database.h"
#include "snellen/store/samples/sample.h"
#include "snellen/store/samples/schema.h"

namespace snellen::store {

// How much of a row is read: most of its time goes into numbers and what lies in other tables.
enum class Reading { kWithoutScores, kWithScores, kEverything };

// Of a visual's name, path, size, mtime_ns and content_key, selected from column `first` on.
ShownVisual read_visual(const Statement& row, int first);

// Turns rows of any version into samples. One thread at a time.
class RowReader {
 public:
  RowReader(Database& database, RowLayout layout);
  ~RowReader();

  // The columns that read() and digest_line() take, with "FROM samples".
  std::string select(Reading reading) const;
  Sample read(const Statement& row, Reading reading);
  // What the digest takes of a row, which was selected with its scores: the same text for all
  // versions.
  std::string digest_line(const Statement& row);

 private:
  bool is_old() const { return layout_.version == 1; }
  size_t num_values(const Statement& row) const;
  std::vector<double> scores_of(const Statement& row);
  struct Shape {
    std::string text = {};
    size_t num_numbers = 0;
    size_t num_texts = 0;
  };
  const Shape& shape_of(int64_t id);
  Detail detail_of(const Statement& row);
  Error error_of(const Statement& row);
  void read_shown(const Statement& row, Sample& sample);

  // A statement that is prepared when it is first needed, with its first parameter bound.
  Statement& find(const char* sql, int64_t key);

  Database& database_;
  RowLayout layout_;
  std::map<const char*, std::unique_ptr<Statement>> statements_;
  std::unordered_map<int64_t, Shape> shapes_;
};

}  // namespace snellen::store
