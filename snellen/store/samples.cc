// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/distinct_ids.h"
#include "snellen/base/hash.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/python_json.h"
#include "snellen/store/error_json.h"
#include "snellen/store/schema.h"

namespace snellen::store {
namespace {

constexpr int64_t kTaskStride = int64_t{1} << 40;
constexpr int64_t kRowsAStretch = 1024;

constexpr const char* kRowColumns =
    "id, part, item, cluster, category, status, scores, outcome, ties, correct, margin, detail, "
    "error, micros";

int64_t row_id(uint32_t task, uint64_t position) {
  return static_cast<int64_t>(task) * kTaskStride + static_cast<int64_t>(position);
}

SampleStatus status_of(std::string_view name) {
  if (name == "scored") return SampleStatus::kScored;
  return name == "skipped" ? SampleStatus::kSkipped : SampleStatus::kFailed;
}

Sample read_row(const Statement& row, Samples::Reading reading = Samples::Reading::kAll) {
  Sample sample;
  sample.task = static_cast<uint32_t>(row.integer(0) / kTaskStride);
  sample.position = static_cast<uint64_t>(row.integer(0) % kTaskStride);
  sample.part = static_cast<uint32_t>(row.integer(1));
  sample.item = row.text(2);
  sample.cluster = row.text(3);
  sample.category = row.text(4);
  sample.status = status_of(row.text(5));
  if (reading == Samples::Reading::kAll) sample.scores = numbers_from_json(row.text(6));
  sample.values = numbers_from_json(row.text(7));
  sample.ties = static_cast<uint64_t>(row.integer(8));
  if (!row.is_null(9)) sample.is_correct = row.integer(9) != 0;
  sample.margin = row.number(10);
  sample.detail = row.text(11);
  if (!row.is_null(12)) sample.error = error_from_json(row.text(12));
  sample.micros = static_cast<uint64_t>(row.integer(13));
  return sample;
}

constexpr int kNumRowColumns = 14;
// One statement inserts this many rows: SQLite opens and closes its cursors once for all of them.
constexpr size_t kRowsAStatement = 8;

// "INSERT .. VALUES(?,..),(?,..)".
std::string insert_of(size_t num_rows) {
  std::string row = "(?";
  for (int i = 1; i < kNumRowColumns; ++i) row += ",?";
  row += ")";
  return fmt::format("INSERT INTO samples({}) VALUES{}",
                     kRowColumns,
                     fmt::join(std::vector<std::string>(num_rows, row), ","));
}

// `first` is the number of the row's first parameter.
void bind_row(Statement& insert, int first, const SampleRow& row) {
  const Sample& sample = row.sample;
  bool is_scored = sample.status == SampleStatus::kScored;
  insert.bind(first, row_id(sample.task, sample.position));
  insert.bind(first + 1, int64_t{sample.part});
  insert.bind(first + 2, std::string_view(sample.item));
  insert.bind(first + 3, std::string_view(sample.cluster));
  insert.bind(first + 4, std::string_view(sample.category));
  insert.bind(first + 5, name_of(sample.status));
  insert.bind(first + 6, std::string_view(row.scores));
  insert.bind(first + 7, std::string_view(row.values));
  insert.bind(first + 8, static_cast<int64_t>(sample.ties));
  sample.is_correct ? insert.bind(first + 9, int64_t{*sample.is_correct})
                    : insert.bind_null(first + 9);
  is_scored ? insert.bind(first + 10, sample.margin) : insert.bind_null(first + 10);
  sample.detail.empty() ? insert.bind_null(first + 11)
                        : insert.bind(first + 11, std::string_view(sample.detail));
  sample.error ? insert.bind(first + 12, std::string_view(row.error))
               : insert.bind_null(first + 12);
  insert.bind(first + 13, static_cast<int64_t>(sample.micros));
}

void append_number(std::string& json, double number) {
  if (std::isnan(number)) {
    json += "null";
  } else if (std::isinf(number)) {
    json += number > 0 ? "\"inf\"" : "\"-inf\"";
  } else {
    append_python_float(json, number);
  }
}

// Connections to read with; each is lent to one thread at a time.
class ConnectionPool {
 public:
  explicit ConnectionPool(std::filesystem::path path) : path_(std::move(path)) {}

  class Lent {
   public:
    explicit Lent(ConnectionPool& pool) : pool_(pool) {
      std::lock_guard lock(pool_.mutex_);
      if (!pool_.idle_.empty()) {
        database_ = std::move(pool_.idle_.back());
        pool_.idle_.pop_back();
      } else {
        database_ = std::make_unique<Database>(pool_.path_, Database::Access::kReadOnly);
        // Rows are read once and in order: pages that were read are not needed again.
        database_->run("PRAGMA cache_size = -256");
      }
    }
    ~Lent() {
      std::lock_guard lock(pool_.mutex_);
      pool_.idle_.push_back(std::move(database_));
    }
    Lent(const Lent&) = delete;
    Lent& operator=(const Lent&) = delete;
    Database& database() { return *database_; }

   private:
    ConnectionPool& pool_;
    std::unique_ptr<Database> database_;
  };

 private:
  std::filesystem::path path_;
  std::mutex mutex_;  // guards idle_
  std::vector<std::unique_ptr<Database>> idle_;
};

[[noreturn]] void refuse_numbers(std::string_view json) {
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("'{}' is no list of numbers", json.substr(0, 60)),
              "samples.db",
              "it was changed by another program; run again with --overwrite"};
}

}  // namespace

std::string_view name_of(SampleStatus status) {
  switch (status) {
    case SampleStatus::kScored:
      return "scored";
    case SampleStatus::kSkipped:
      return "skipped";
    case SampleStatus::kFailed:
      return "failed";
  }
  return "failed";
}

void check_values(const Sample& sample, size_t num_columns, const std::filesystem::path& where) {
  if (sample.status != SampleStatus::kScored || sample.values.size() == num_columns) return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("holds {} values, expected {}", sample.values.size(), num_columns),
              fmt::format("{}: {}", where.string(), sample.item),
              "the file was changed after the run; see snellen verify, or run again"};
}

uint64_t& SampleCounts::of(SampleStatus status) {
  switch (status) {
    case SampleStatus::kScored:
      return scored;
    case SampleStatus::kSkipped:
      return skipped;
    case SampleStatus::kFailed:
      return failed;
  }
  return failed;
}

std::string numbers_to_json(std::span<const double> numbers) {
  std::string json = "[";
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) json.push_back(',');
    append_number(json, numbers[i]);
  }
  return json + "]";
}

std::vector<double> numbers_from_json(std::string_view json) {
  std::vector<double> numbers;
  if (json.size() < 2 || json == "[]") return numbers;
  std::string_view rest = json.substr(1, json.size() - 2);
  while (true) {
    size_t end = std::min(rest.find(','), rest.size());
    std::string_view piece = rest.substr(0, end);
    double number = std::numeric_limits<double>::quiet_NaN();
    if (piece == "\"inf\"" || piece == "\"-inf\"") {
      number = piece.size() == 5 ? std::numeric_limits<double>::infinity()
                                 : -std::numeric_limits<double>::infinity();
    } else if (piece != "null") {
      auto [stop, code] = std::from_chars(piece.data(), piece.data() + piece.size(), number);
      if (code != std::errc() || stop != piece.data() + piece.size()) refuse_numbers(json);
    }
    numbers.push_back(number);
    if (end == rest.size()) return numbers;
    rest.remove_prefix(end + 1);
  }
}

SampleRow::SampleRow(Sample&& made)
    : sample(std::move(made)),
      scores(numbers_to_json(sample.scores)),
      values(numbers_to_json(sample.values)),
      error(sample.error ? error_to_json(*sample.error) : std::string()) {
  sample.scores = {};
  sample.values = {};
}

Samples Samples::open_to_write(const std::filesystem::path& path) {
  Samples samples(Database(path, Database::Access::kReadWrite));
  // A rollback journal and no WAL: network disks lack the shared memory WAL needs, and one file is
  // all there is. Pages of one commit are written at its end and not before, which would cost a
  // sync each time; between commits the cache keeps little.
  samples.database_.run(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL; "
      "PRAGMA cache_size = -1024; PRAGMA cache_spill = OFF");
  migrate(samples.database_);
  return samples;
}

Samples Samples::open_in_memory() {
  Samples samples(Database(":memory:", Database::Access::kReadWrite));
  migrate(samples.database_);
  return samples;
}

Samples Samples::open_to_read(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw Error{ErrorCode::kNotFound,
                "no such file, so this is no run folder",
                path.string(),
                "give the folder that holds run.json"};
  }
  Samples samples(Database(path, Database::Access::kReadOnly));
  check_version(samples.database_);
  return samples;
}

void Samples::set_tasks(const std::vector<TaskRecord>& tasks) {
  if (database_.integer("SELECT count(*) FROM tasks") > 0) return;
  Transaction transaction(database_);
  for (size_t task = 0; task < tasks.size(); ++task) {
    int64_t number = static_cast<int64_t>(task);
    Statement(database_, "INSERT INTO tasks VALUES(?,?)")
        .bind(1, number)
        .bind(2, std::string_view(tasks[task].name))
        .step();
    for (size_t part = 0; part < tasks[task].parts.size(); ++part) {
      const TaskRecord::Part& facts = tasks[task].parts[part];
      Statement insert(database_, "INSERT INTO parts VALUES(?,?,?,?)");
      insert.bind(1, number)
          .bind(2, static_cast<int64_t>(part))
          .bind(3, std::string_view(facts.name));
      insert.bind(4, static_cast<int64_t>(facts.num_items)).step();
    }
    for (size_t place = 0; place < tasks[task].columns.size(); ++place) {
      const TaskRecord::Column& column = tasks[task].columns[place];
      Statement insert(database_, "INSERT INTO columns VALUES(?,?,?,?,?,?,?)");
      insert.bind(1, number)
          .bind(2, static_cast<int64_t>(place))
          .bind(3, std::string_view(column.name));
      insert.bind(4, int64_t{column.is_share}).bind(5, int64_t{column.higher_is_better});
      column.chance ? insert.bind(6, *column.chance) : insert.bind_null(6);
      insert.bind(7, int64_t{column.has_breakdown}).step();
    }
  }
  transaction.commit();
}

std::vector<TaskRecord> Samples::tasks() {
  std::vector<TaskRecord> tasks;
  Statement names(database_, "SELECT name FROM tasks ORDER BY task");
  while (names.step()) tasks.push_back({std::string(names.text(0)), {}, {}});
  for (size_t task = 0; task < tasks.size(); ++task) {
    Statement parts(database_, "SELECT name, num_items FROM parts WHERE task = ? ORDER BY part");
    parts.bind(1, static_cast<int64_t>(task));
    while (parts.step())
      tasks[task].parts.push_back(
          {std::string(parts.text(0)), static_cast<uint64_t>(parts.integer(1))});
    Statement columns(database_,
                      "SELECT name, is_share, higher_is_better, chance, has_breakdown FROM columns "
                      "WHERE task = ? ORDER BY place");
    columns.bind(1, static_cast<int64_t>(task));
    while (columns.step()) {
      TaskRecord::Column column{.name = std::string(columns.text(0)),
                                .is_share = columns.integer(1) != 0,
                                .higher_is_better = columns.integer(2) != 0,
                                .has_breakdown = columns.integer(4) != 0};
      if (!columns.is_null(3)) column.chance = columns.number(3);
      tasks[task].columns.push_back(std::move(column));
    }
  }
  return tasks;
}

void Samples::add(std::span<const Sample> batch) {
  std::vector<SampleRow> rows;
  rows.reserve(batch.size());
  for (const Sample& sample : batch) rows.emplace_back(Sample(sample));
  add(rows);
}

void Samples::add(std::span<const SampleRow> batch) {
  Transaction transaction(database_);
  auto insert = [&](std::span<const SampleRow> rows, size_t rows_a_statement) {
    Statement statement(database_, insert_of(rows_a_statement).c_str());
    for (; !rows.empty(); rows = rows.subspan(rows_a_statement)) {
      for (size_t i = 0; i < rows_a_statement; ++i)
        bind_row(statement, 1 + static_cast<int>(i) * kNumRowColumns, rows[i]);
      statement.step();
      statement.reset();
    }
  };
  const size_t together = batch.size() / kRowsAStatement * kRowsAStatement;
  if (together > 0) insert(batch.first(together), kRowsAStatement);
  if (together < batch.size()) insert(batch.subspan(together), 1);
  transaction.commit();
  for (const SampleRow& row : batch) {
    if (auto kept = counts_.find(row.sample.task); kept != counts_.end())
      ++kept->second.of(row.sample.status);
  }
}

std::vector<bool> Samples::done(uint32_t task, uint64_t num_items) {
  std::vector<bool> done(num_items, false);
  Statement rows(database_, "SELECT id FROM samples WHERE id >= ? AND id < ?");
  rows.bind(1, row_id(task, 0)).bind(2, row_id(task + 1, 0));
  while (rows.step()) {
    uint64_t position = static_cast<uint64_t>(rows.integer(0) % kTaskStride);
    if (position < num_items) done[position] = true;
  }
  return done;
}

SampleCounts Samples::counts(uint32_t task) {
  if (auto kept = counts_.find(task); kept != counts_.end()) return kept->second;
  SampleCounts counts;
  Statement rows(database_,
                 "SELECT status, count(*) FROM samples WHERE id >= ? AND id < ? GROUP BY status");
  rows.bind(1, row_id(task, 0)).bind(2, row_id(task + 1, 0));
  while (rows.step()) {
    uint64_t count = static_cast<uint64_t>(rows.integer(1));
    counts.of(status_of(rows.text(0))) = count;
  }
  counts_[task] = counts;
  return counts;
}

template <typename T>
void Samples::read_task(uint32_t task,
                        const std::function<T(const Statement&)>& make,
                        const std::function<void(T&&)>& take) {
  const std::string sql =
      fmt::format("SELECT {} FROM samples WHERE id >= ? AND id < ? ORDER BY id", kRowColumns);
  const int64_t begin = row_id(task, 0);
  int64_t end = row_id(task + 1, 0);
  if (num_readers_ <= 1 || database_.path() == ":memory:") {
    Statement rows(database_, sql.c_str());
    rows.bind(1, begin).bind(2, end);
    while (rows.step()) take(make(rows));
    return;
  }
  Statement last(database_, "SELECT max(id) FROM samples WHERE id >= ? AND id < ?");
  last.bind(1, begin).bind(2, end);
  if (!last.step() || last.is_null(0)) return;
  end = last.integer(0) + 1;
  last.reset();
  ConnectionPool connections(database_.path());
  auto read = [&](uint64_t stretch) {
    std::vector<T> made;
    ConnectionPool::Lent lent(connections);
    const int64_t from = begin + static_cast<int64_t>(stretch) * kRowsAStretch;
    Statement rows(lent.database(), sql.c_str());
    rows.bind(1, from).bind(2, std::min(end, from + kRowsAStretch));
    while (rows.step()) made.push_back(make(rows));
    return made;
  };
  ordered_pipeline<std::vector<T>>(
      static_cast<uint64_t>((end - begin + kRowsAStretch - 1) / kRowsAStretch),
      num_readers_,
      read,
      [&](std::vector<T>&& made) {
        for (T& one : made) take(std::move(one));
      },
      [] { return false; });
}

bool Samples::has_shared_clusters(uint32_t task, uint32_t part) {
  // Where clusters are shared at all, the first rows show it.
  Statement rows(database_,
                 "SELECT cluster FROM samples "
                 "WHERE id >= ? AND id < ? AND part = ? AND status = 'scored'");
  rows.bind(1, row_id(task, 0)).bind(2, row_id(task + 1, 0)).bind(3, int64_t{part});
  DistinctIds clusters;
  while (rows.step()) {
    if (!clusters.add(content_key(rows.text(0))).is_new) return true;
  }
  return false;
}

void Samples::for_each(uint32_t task,
                       std::optional<uint32_t> part,
                       const std::function<void(Sample&)>& visit,
                       Reading reading) {
  read_task<std::optional<Sample>>(
      task,
      [part, reading](const Statement& row) -> std::optional<Sample> {
        if (part && row.integer(1) != int64_t{*part}) return std::nullopt;
        return read_row(row, reading);
      },
      [&](std::optional<Sample>&& sample) {
        if (sample) visit(*sample);
      });
}

void Samples::for_each_between(uint32_t task,
                               uint64_t begin,
                               uint64_t end,
                               const std::function<void(const Sample&)>& visit) {
  Statement rows(
      database_,
      fmt::format("SELECT {} FROM samples WHERE id >= ? AND id < ? ORDER BY id", kRowColumns)
          .c_str());
  rows.bind(1, row_id(task, begin)).bind(2, row_id(task, end));
  while (rows.step()) visit(read_row(rows));
}

std::vector<Sample> Samples::failures(uint32_t task, size_t at_most) {
  std::vector<Sample> failures;
  if (const SampleCounts all = counts(task); all.scored == all.total()) return failures;
  Statement rows(database_,
                 fmt::format("SELECT {} FROM samples WHERE id >= ? AND id < ? AND status <> "
                             "'scored' ORDER BY id LIMIT ?",
                             kRowColumns)
                     .c_str());
  rows.bind(1, row_id(task, 0)).bind(2, row_id(task + 1, 0)).bind(3, static_cast<int64_t>(at_most));
  while (rows.step()) failures.push_back(read_row(rows));
  return failures;
}

std::string Samples::digest() {
  Sha256 hash;
  const auto last = static_cast<uint32_t>(
      database_.integer("SELECT coalesce(max(id), 0) FROM samples") / kTaskStride);
  for (uint32_t task = 0; task <= last; ++task) {
    read_task<std::string>(
        task,
        [](const Statement& row) {
          std::string line;
          for (int column = 0; column < 13; ++column) {
            line += row.is_null(column) ? "\\N" : row.text(column);
            line.push_back('\x1f');
          }
          line.push_back('\n');
          return line;
        },
        [&](std::string&& line) { hash.add(line); });
  }
  return hash.hex();
}

}  // namespace snellen::store
