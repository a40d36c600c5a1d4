// SPDX-License-Identifier: Apache-2.0
// The layout of samples.db (docs/design/samples.md). A change of it raises the version; files of
// older versions are read, never written.
#pragma once

#include <string>
#include <vector>

#include "snellen/store/database.h"
#include "snellen/store/samples/sample.h"

namespace snellen::store {

inline constexpr int kSchemaVersion = 2;
inline constexpr int kOldestSchema = 1;

// Lists that do not fit a row lie in rows of this many columns each: SQLite's cost is per row.
inline constexpr size_t kStretch = 16;

// What the rows of one file look like.
struct RowLayout {
  int version = kSchemaVersion;
  bool has_rows = false;  // the table of samples is there: its tasks are known
  // Columns of the table of samples; items with more keep theirs in other tables.
  size_t num_visuals = 0;
  size_t num_texts = 0;
  size_t num_scores = 0;
  size_t num_values = 0;
  std::vector<size_t> num_columns = {};  // values of a scored item, by task
  std::vector<uint64_t> num_items = {};  // by task
};

// id = task * kTaskStride + position: rows lie in the order in which they are read.
inline constexpr int64_t kTaskStride = int64_t{1} << 40;
int64_t row_id(uint32_t task, uint64_t position);

// Makes a new database's tables. Throws kUsage for one of an older version, kInvalidInput for one
// that this build does not know.
void make_tables(Database& database);
// The table of samples for these tasks, and the views that people read.
void make_sample_table(Database& database, const std::vector<TaskRecord>& tasks);

// Throws kInvalidInput unless this build reads the version.
int version_of(Database& database);
RowLayout layout_of(Database& database);

// "n_1, n_2": `count` columns.
std::string numbered(const std::string& name, size_t count);

}  // namespace snellen::store
