// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples.h"

#include <mutex>

#include <fmt/format.h>

#include "snellen/base/distinct_ids.h"
#include "snellen/base/hash.h"
#include "snellen/base/ordered_pipeline.h"

namespace snellen::store {
namespace {

constexpr int64_t kRowsPerStretch = 1024;
constexpr const char* kBetween = "{} WHERE id >= ? AND id < ? ORDER BY id";

// Connections to read with; each is connection to one thread at a time.
class ConnectionPool {
 public:
  ConnectionPool(std::filesystem::path path, const RowLayout& layout)
      : path_(std::move(path)), layout_(layout) {}

  struct Connection {
    Connection(const std::filesystem::path& path, const RowLayout& layout)
        : database(path, Database::Access::kReadOnly), reader(database, layout) {
      // Rows are read once and in order: pages that were read are not needed again.
      database.run("PRAGMA cache_size = -256");
    }
    Database database;
    RowReader reader;
  };

  class BorrowedConnection {
   public:
    explicit BorrowedConnection(ConnectionPool& pool) : pool_(pool) {
      std::lock_guard lock(pool_.mutex_);
      if (!pool_.idle_.empty()) {
        connection_ = std::move(pool_.idle_.back());
        pool_.idle_.pop_back();
      } else {
        connection_ = std::make_unique<Connection>(pool_.path_, pool_.layout_);
      }
    }
    ~BorrowedConnection() {
      std::lock_guard lock(pool_.mutex_);
      pool_.idle_.push_back(std::move(connection_));
    }
    BorrowedConnection(const BorrowedConnection&) = delete;
    BorrowedConnection& operator=(const BorrowedConnection&) = delete;
    Connection* operator->() { return connection_.get(); }

   private:
    ConnectionPool& pool_;
    std::unique_ptr<Connection> connection_;
  };

 private:
  std::filesystem::path path_;
  const RowLayout& layout_;
  std::mutex mutex_;  // guards idle_
  std::vector<std::unique_ptr<Connection>> idle_;
};

void bind_task(Statement& rows, uint32_t task) {
  rows.bind(1, row_id(task, 0)).bind(2, row_id(task + 1, 0));
}

}  // namespace

Samples::Samples(std::unique_ptr<Database> database)
    : database_(std::move(database)), layout_(layout_of(*database_)) {}

Samples Samples::open_to_write(const std::filesystem::path& path) {
  auto database = std::make_unique<Database>(path, Database::Access::kReadWrite);
  // A rollback journal and no WAL: network disks lack the shared memory WAL needs, and one file is
  // all there is. Pages of one commit are written at its end and not before, which would cost a
  // sync each time; between commits the cache keeps little.
  database->run(
      "PRAGMA page_size = 16384; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = NORMAL; "
      "PRAGMA cache_size = -1024; PRAGMA cache_spill = OFF");
  make_tables(*database);
  return Samples(std::move(database));
}

Samples Samples::open_in_memory() {
  auto database = std::make_unique<Database>(":memory:", Database::Access::kReadWrite);
  make_tables(*database);
  return Samples(std::move(database));
}

Samples Samples::open_to_read(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw Error{ErrorCode::kNotFound,
                "no such file, so this is no run folder",
                path.string(),
                "give the folder that holds run.json"};
  }
  return Samples(std::make_unique<Database>(path, Database::Access::kReadOnly));
}

void Samples::set_tasks(const std::vector<TaskRecord>& tasks) {
  if (layout_.has_rows) return;
  Transaction transaction(*database_);
  for (size_t task = 0; task < tasks.size(); ++task) {
    int64_t number = static_cast<int64_t>(task);
    Statement(*database_, "INSERT INTO tasks VALUES(?,?)")
        .bind(1, number)
        .bind(2, std::string_view(tasks[task].name))
        .step();
    for (size_t part = 0; part < tasks[task].parts.size(); ++part) {
      const TaskRecord::Part& facts = tasks[task].parts[part];
      Statement insert(*database_, "INSERT INTO parts VALUES(?,?,?,?)");
      insert.bind(1, number)
          .bind(2, static_cast<int64_t>(part))
          .bind(3, std::string_view(facts.name));
      insert.bind(4, static_cast<int64_t>(facts.num_items)).step();
    }
    for (size_t place = 0; place < tasks[task].columns.size(); ++place) {
      const TaskRecord::Column& column = tasks[task].columns[place];
      Statement insert(*database_, "INSERT INTO columns VALUES(?,?,?,?,?,?,?)");
      insert.bind(1, number)
          .bind(2, static_cast<int64_t>(place))
          .bind(3, std::string_view(column.name));
      insert.bind(4, int64_t{column.is_share}).bind(5, int64_t{column.higher_is_better});
      column.chance ? insert.bind(6, *column.chance) : insert.bind_null(6);
      insert.bind(7, int64_t{column.has_breakdown}).step();
    }
  }
  make_sample_table(*database_, tasks);
  transaction.commit();
  layout_ = layout_of(*database_);
}

std::vector<TaskRecord> Samples::tasks() {
  std::vector<TaskRecord> tasks;
  Statement names(*database_, "SELECT name FROM tasks ORDER BY task");
  while (names.step()) tasks.push_back({std::string(names.text(0)), {}, {}});
  for (size_t task = 0; task < tasks.size(); ++task) {
    Statement parts(*database_, "SELECT name, num_items FROM parts WHERE task = ? ORDER BY part");
    parts.bind(1, static_cast<int64_t>(task));
    while (parts.step())
      tasks[task].parts.push_back(
          {std::string(parts.text(0)), static_cast<uint64_t>(parts.integer(1))});
    Statement columns(*database_,
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

void Samples::set_identity(const IdentityFacts& facts) {
  Transaction transaction(*database_);
  Statement insert(*database_, "INSERT INTO identity VALUES(?,?)");
  for (const auto& [name, value] : facts) {
    insert.bind(1, std::string_view(name)).bind(2, std::string_view(value)).step();
    insert.reset();
  }
  transaction.commit();
}

IdentityFacts Samples::identity() {
  IdentityFacts facts;
  if (layout_.version == 1) return facts;
  Statement rows(*database_, "SELECT name, value FROM identity ORDER BY name");
  while (rows.step()) facts.emplace_back(rows.text(0), rows.text(1));
  return facts;
}

void Samples::add(std::span<const Sample> batch) {
  SNELLEN_CHECK(layout_.has_rows);
  if (!writer_) writer_ = std::make_unique<RowWriter>(*database_, layout_);
  // What the writer knows is not there when its rows are taken back.
  std::unique_ptr<RowWriter> writer = std::move(writer_);
  Transaction transaction(*database_);
  writer->add(batch);
  transaction.commit();
  writer_ = std::move(writer);
  for (const Sample& sample : batch) {
    if (auto kept = counts_.find(sample.task); kept != counts_.end())
      ++kept->second.of(sample.status);
  }
}

std::vector<bool> Samples::done(uint32_t task, uint64_t num_items) {
  std::vector<bool> done(num_items, false);
  Statement rows(*database_, "SELECT id FROM samples WHERE id >= ? AND id < ?");
  bind_task(rows, task);
  while (rows.step()) {
    uint64_t position = static_cast<uint64_t>(rows.integer(0) % kTaskStride);
    if (position < num_items) done[position] = true;
  }
  return done;
}

SampleCounts Samples::counts(uint32_t task) {
  if (auto kept = counts_.find(task); kept != counts_.end()) return kept->second;
  SampleCounts counts;
  Statement rows(*database_,
                 "SELECT status, count(*) FROM samples WHERE id >= ? AND id < ? GROUP BY status");
  bind_task(rows, task);
  while (rows.step()) {
    uint64_t count = static_cast<uint64_t>(rows.integer(1));
    counts.of(status_of(rows.text(0))) = count;
  }
  counts_[task] = counts;
  return counts;
}

template <typename T>
void Samples::read_task(uint32_t task,
                        Reading reading,
                        const std::function<T(RowReader&, const Statement&)>& make,
                        const std::function<void(T&&)>& take) {
  if (!layout_.has_rows) return;
  RowReader own(*database_, layout_);
  const std::string sql = fmt::format(kBetween, own.select(reading));
  Statement last(*database_, "SELECT max(id) FROM samples WHERE id >= ? AND id < ?");
  bind_task(last, task);
  if (!last.step() || last.is_null(0)) return;
  const int64_t begin = row_id(task, 0);
  const int64_t end = last.integer(0) + 1;
  last.reset();
  if (task >= layout_.num_items.size() || end > row_id(task, layout_.num_items[task])) {
    throw Error{ErrorCode::kInvalidInput,
                "holds a row beyond the items of its task",
                path().string(),
                "it was changed by another program; run again with --overwrite"};
  }
  if (num_readers_ <= 1 || path() == ":memory:") {
    Statement rows(*database_, sql.c_str());
    rows.bind(1, begin).bind(2, end);
    while (rows.step()) take(make(own, rows));
    return;
  }
  ConnectionPool connections(path(), layout_);
  auto read = [&](uint64_t stretch) {
    std::vector<T> made;
    ConnectionPool::BorrowedConnection connection(connections);
    const int64_t from = begin + static_cast<int64_t>(stretch) * kRowsPerStretch;
    Statement rows(connection->database, sql.c_str());
    rows.bind(1, from).bind(2, std::min(end, from + kRowsPerStretch));
    while (rows.step()) made.push_back(make(connection->reader, rows));
    return made;
  };
  ordered_pipeline<std::vector<T>>(
      static_cast<uint64_t>((end - begin + kRowsPerStretch - 1) / kRowsPerStretch),
      num_readers_,
      read,
      [&](std::vector<T>&& made) {
        for (T& one : made) take(std::move(one));
      },
      [] { return false; });
}

bool Samples::has_shared_clusters(uint32_t task, uint32_t part) {
  // Where clusters are shared at all, the first rows show it.
  Statement rows(
      *database_,
      layout_.version == 1
          ? "SELECT cluster, NULL FROM samples WHERE id >= ? AND id < ? AND part = ? AND "
            "status = 'scored'"
          : "SELECT cluster, cluster_2 FROM samples WHERE id >= ? AND id < ? AND part = "
            "? AND status = 'scored'");
  bind_task(rows, task);
  rows.bind(3, int64_t{part});
  DistinctIds clusters;
  while (rows.step()) {
    const std::string_view first = rows.text(0);
    if (!clusters.add(content_key(first)).is_new) return true;
    if (rows.is_null(1) || rows.text(1) == first) continue;
    if (!clusters.add(content_key(rows.text(1))).is_new) return true;
  }
  return false;
}

void Samples::for_each(uint32_t task,
                       std::optional<uint32_t> part,
                       const std::function<void(Sample&)>& visit,
                       Reading reading) {
  read_task<std::optional<Sample>>(
      task,
      reading,
      [part, reading](RowReader& reader, const Statement& row) -> std::optional<Sample> {
        if (part && row.integer(1) != int64_t{*part}) return std::nullopt;
        return reader.read(row, reading);
      },
      [&](std::optional<Sample>&& sample) {
        if (sample) visit(*sample);
      });
}

void Samples::for_each_between(uint32_t task,
                               uint64_t begin,
                               uint64_t end,
                               const std::function<void(Sample&)>& visit) {
  RowReader reader(*database_, layout_);
  Statement rows(*database_, fmt::format(kBetween, reader.select(Reading::kEverything)).c_str());
  rows.bind(1, row_id(task, begin)).bind(2, row_id(task, end));
  while (rows.step()) {
    Sample sample = reader.read(rows, Reading::kEverything);
    visit(sample);
  }
}

std::vector<Sample> Samples::failures(uint32_t task, size_t at_most) {
  std::vector<Sample> failures;
  if (const SampleCounts all = counts(task); all.scored == all.total()) return failures;
  RowReader reader(*database_, layout_);
  Statement rows(
      *database_,
      fmt::format("{} WHERE id >= ? AND id < ? AND status <> 'scored' ORDER BY id LIMIT ?",
                  reader.select(Reading::kWithScores))
          .c_str());
  bind_task(rows, task);
  rows.bind(3, static_cast<int64_t>(at_most));
  while (rows.step()) failures.push_back(reader.read(rows, Reading::kWithScores));
  return failures;
}

std::string Samples::digest() {
  Sha256 hash;
  for (uint32_t task = 0; task < layout_.num_items.size(); ++task) {
    read_task<std::string>(
        task,
        Reading::kWithScores,
        [](RowReader& reader, const Statement& row) { return reader.digest_line(row); },
        [&](std::string&& line) { hash.add(line); });
  }
  return hash.hex();
}

void Samples::for_each_visual(const std::function<void(const StoredVisual&)>& visit) {
  if (layout_.version == 1) return;
  Statement rows(
      *database_,
      "SELECT id, task, name, path, size, mtime_ns, content_key FROM visuals ORDER BY id");
  while (rows.step())
    visit({rows.integer(0), static_cast<uint32_t>(rows.integer(1)), read_visual(rows, 2)});
}

void Samples::set_read(std::span<const std::pair<int64_t, ShownVisual::Read>> read) {
  Transaction transaction(*database_);
  Statement update(*database_,
                   "UPDATE visuals SET size = ?, mtime_ns = ?, content_key = ? WHERE id = ?");
  for (const auto& [id, facts] : read) {
    const std::string key = facts.key ? hex_of(*facts.key) : std::string();
    update.bind(1, static_cast<int64_t>(facts.size)).bind(2, facts.mtime_ns);
    facts.key ? update.bind(3, std::string_view(key)) : update.bind_null(3);
    update.bind(4, id).step();
    update.reset();
  }
  transaction.commit();
}

Samples::VisualDigest Samples::visual_digest() {
  VisualDigest digest;
  if (layout_.version == 1) return digest;
  Sha256 hash;
  Statement keys(*database_,
                 "SELECT DISTINCT content_key FROM visuals WHERE content_key IS NOT NULL ORDER BY "
                 "content_key");
  for (; keys.step(); ++digest.count) hash.add(keys.text(0));
  digest.sha256 = hash.hex();
  return digest;
}

}  // namespace snellen::store
