// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples/schema.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace snellen::store {
namespace {

constexpr size_t kMostVisuals = 4;
constexpr size_t kMostTexts = 4;
constexpr size_t kMostScores = 8;

// {0}: the numbered columns of a stretch.
constexpr const char* kTables = R"sql(
CREATE TABLE identity(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE tasks(task INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE parts(task INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL, num_items INTEGER NOT NULL,
                   PRIMARY KEY(task, part));
CREATE TABLE columns(task INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, is_share INTEGER NOT NULL,
                     higher_is_better INTEGER NOT NULL, chance REAL, has_breakdown INTEGER NOT NULL,
                     PRIMARY KEY(task, place));
CREATE TABLE visuals(id INTEGER PRIMARY KEY, task INTEGER NOT NULL, name TEXT NOT NULL, path TEXT NOT NULL, size INTEGER,
                     mtime_ns INTEGER, content_key TEXT);
CREATE TABLE texts(id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE lists(list INTEGER NOT NULL, first INTEGER NOT NULL, {0}, PRIMARY KEY(list, first)) WITHOUT ROWID;
CREATE TABLE pairs(layout INTEGER NOT NULL, place INTEGER NOT NULL, visual INTEGER NOT NULL, text INTEGER NOT NULL,
                   PRIMARY KEY(layout, place)) WITHOUT ROWID;
CREATE TABLE more_scores(sample INTEGER NOT NULL, first INTEGER NOT NULL, {0}, PRIMARY KEY(sample, first)) WITHOUT ROWID;
CREATE TABLE detail_shapes(id INTEGER PRIMARY KEY, shape TEXT NOT NULL);
CREATE TABLE detail_names(shape INTEGER NOT NULL, is_text INTEGER NOT NULL, hole INTEGER NOT NULL, name TEXT NOT NULL,
                          place INTEGER NOT NULL, PRIMARY KEY(shape, is_text, hole)) WITHOUT ROWID;
CREATE TABLE detail_numbers(sample INTEGER NOT NULL, first INTEGER NOT NULL, {0}, PRIMARY KEY(sample, first)) WITHOUT ROWID;
CREATE TABLE detail_texts(sample INTEGER NOT NULL, hole INTEGER NOT NULL, text TEXT NOT NULL,
                          PRIMARY KEY(sample, hole)) WITHOUT ROWID;
CREATE TABLE answers(sample INTEGER NOT NULL, place INTEGER NOT NULL, text TEXT NOT NULL,
                     PRIMARY KEY(sample, place)) WITHOUT ROWID;
CREATE TABLE failures(sample INTEGER PRIMARY KEY, code TEXT NOT NULL, what TEXT NOT NULL, location TEXT NOT NULL,
                      hint TEXT NOT NULL);
CREATE TABLE stretch(n INTEGER PRIMARY KEY);
)sql";

// Scores and values have no declared type: SQLite would store a REAL -0.0 as the integer 0.
constexpr const char* kSamples = R"sql(
CREATE TABLE samples(id INTEGER PRIMARY KEY, part INTEGER NOT NULL, item TEXT NOT NULL, cluster TEXT NOT NULL, cluster_2 TEXT,
                     category TEXT NOT NULL, status TEXT NOT NULL, ties INTEGER NOT NULL, correct INTEGER, margin REAL,
                     detail INTEGER, layout INTEGER, more_visuals INTEGER, more_texts INTEGER,
                     num_scores INTEGER NOT NULL, micros INTEGER NOT NULL{});
)sql";

// "CASE n.n WHEN 0 THEN x_1 .. END": the n-th of numbered columns.
std::string pick(const std::string& name, size_t count) {
  std::string sql = "CASE n.n";
  for (size_t i = 0; i < count; ++i) sql += fmt::format(" WHEN {} THEN {}_{}", i, name, i + 1);
  return count == 0 ? "NULL" : sql + " END";
}

std::string sql_name(std::string_view name) {
  std::string sql = "\"";
  for (char c : name) sql += c == '"' ? std::string("\"\"") : std::string(1, c);
  return sql + "\"";
}

// A view that lists what an item refers to by number, in its row or in a list.
std::string shown_view(
    const char* view, const char* table, const char* columns, const char* name, size_t count) {
  return fmt::format(
      "CREATE VIEW {0} AS SELECT r.sample, r.place, {2} FROM (SELECT s.id AS sample, n.n AS place, "
      "{4} AS id FROM samples s JOIN stretch n ON n.n < {5} WHERE s.more_{3}s IS NULL UNION ALL "
      "SELECT s.id, l.first + n.n, {6} FROM samples s JOIN lists l ON l.list = s.more_{3}s JOIN "
      "stretch n) r JOIN {1} t ON t.id = r.id;\n",
      view,
      table,
      columns,
      name,
      pick(fmt::format("s.{}", name), count),
      count,
      pick("l.n", kStretch));
}

std::string views_of(const RowLayout& layout, const std::vector<TaskRecord>& tasks) {
  std::string sql = shown_view("item_visuals",
                               "visuals",
                               "t.name, t.path, t.size, t.mtime_ns, t.content_key",
                               "visual",
                               layout.num_visuals);
  sql += shown_view("item_texts", "texts", "t.text", "text", layout.num_texts);
  sql += fmt::format(
      "CREATE VIEW scores AS SELECT r.sample, r.place, p.visual, p.text, r.score FROM (SELECT s.id "
      "AS sample, s.layout, n.n AS place, {} AS score FROM samples s JOIN stretch n ON n.n < "
      "s.num_scores WHERE s.num_scores <= {} UNION ALL SELECT s.id, s.layout, m.first + n.n, {} "
      "FROM samples s JOIN more_scores m ON m.sample = s.id JOIN stretch n ON m.first + n.n < "
      "s.num_scores) r LEFT JOIN pairs p ON p.layout = r.layout AND p.place = r.place;\n",
      pick("s.score", layout.num_scores),
      layout.num_scores,
      pick("m.n", kStretch));
  std::string value = "CASE c.place";
  for (size_t i = 0; i < layout.num_values; ++i)
    value += fmt::format(" WHEN {} THEN s.value_{}", i, i + 1);
  value = layout.num_values == 0 ? "NULL" : value + " END";
  sql += fmt::format(
      "CREATE VIEW outcomes AS SELECT s.id AS sample, c.name, {} AS value FROM samples s JOIN "
      "columns c ON c.task = s.id / {} WHERE s.status = 'scored';\n",
      value,
      kTaskStride);
  sql += fmt::format(
      "CREATE VIEW details AS SELECT s.id AS sample, d.name, d.place, {} AS number, NULL AS text "
      "FROM samples s JOIN detail_names d ON d.shape = s.detail AND d.is_text = 0 JOIN "
      "detail_numbers m ON m.sample = s.id AND m.first = d.hole / {} * {} JOIN stretch n ON n.n = "
      "d.hole % {} UNION ALL SELECT s.id, d.name, d.place, NULL, t.text FROM samples s JOIN "
      "detail_names d ON d.shape = s.detail AND d.is_text = 1 JOIN detail_texts t ON t.sample = "
      "s.id AND t.hole = d.hole;\n",
      pick("m.n", kStretch),
      kStretch,
      kStretch,
      kStretch);
  sql += fmt::format(
      "CREATE VIEW items AS SELECT t.name AS task, p.name AS part, s.item, (SELECT "
      "group_concat(x.text, ' | ') FROM (SELECT text FROM item_texts WHERE sample = s.id ORDER BY "
      "place) x) AS texts, (SELECT group_concat(x.path, ' | ') FROM (SELECT path FROM item_visuals "
      "WHERE sample = s.id ORDER BY place) x) AS pictures, (SELECT group_concat(x.score, ' | ') "
      "FROM (SELECT score FROM scores WHERE sample = s.id ORDER BY place) x) AS scores, s.status, "
      "s.correct AS decision, s.margin, s.category, f.what AS reason FROM samples s JOIN tasks t "
      "ON t.task = s.id / {0} JOIN parts p ON p.task = t.task AND p.part = s.part LEFT JOIN "
      "failures f ON f.sample = s.id;\n",
      kTaskStride);
  // A view per task with its values by name.
  for (size_t task = 0; task < tasks.size(); ++task) {
    std::string columns;
    for (size_t place = 0; place < tasks[task].columns.size(); ++place)
      columns +=
          fmt::format(", s.value_{} AS {}", place + 1, sql_name(tasks[task].columns[place].name));
    sql += fmt::format(
        "CREATE VIEW {} AS SELECT s.item, s.part, s.status, s.correct, s.margin{} FROM samples s "
        "WHERE s.id >= {} AND s.id < {};\n",
        sql_name("task " + tasks[task].name),
        columns,
        row_id(static_cast<uint32_t>(task), 0),
        row_id(static_cast<uint32_t>(task) + 1, 0));
  }
  return sql;
}

[[noreturn]] void refuse(const Database& database, int version) {
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("has schema version {}, this build reads {} to {}",
                          version,
                          kOldestSchema,
                          kSchemaVersion),
              database.path().string(),
              version > kSchemaVersion ? "use a newer snellen, or choose another --output"
                                       : "it is no run's samples.db; choose another --output"};
}

int stored_version(Database& database) {
  return static_cast<int>(database.integer("PRAGMA user_version"));
}

}  // namespace

int64_t row_id(uint32_t task, uint64_t position) {
  return static_cast<int64_t>(task) * kTaskStride + static_cast<int64_t>(position);
}

std::string numbered(const std::string& name, size_t count) {
  std::string columns;
  for (size_t i = 0; i < count; ++i)
    columns += fmt::format("{}{}_{}", i == 0 ? "" : ", ", name, i + 1);
  return columns;
}

void make_tables(Database& database) {
  const int version = stored_version(database);
  if (version == kSchemaVersion) return;
  if (version >= kOldestSchema && version < kSchemaVersion) {
    throw Error{
        ErrorCode::kUsage,
        fmt::format("was written by an earlier snellen (schema {}), whose runs this one "
                    "reads but does not continue",
                    version),
        database.path().string(),
        "give this run another --name or --output, or throw that one away with --overwrite"};
  }
  if (version != 0 || database.integer("SELECT count(*) FROM sqlite_master") != 0)
    refuse(database, version);
  Transaction transaction(database);
  database.run(fmt::format(kTables, numbered("n", kStretch)).c_str());
  for (size_t i = 0; i < kStretch; ++i)
    Statement(database, "INSERT INTO stretch VALUES(?)").bind(1, static_cast<int64_t>(i)).step();
  database.run(fmt::format("PRAGMA user_version = {}", kSchemaVersion).c_str());
  transaction.commit();
}

void make_sample_table(Database& database, const std::vector<TaskRecord>& tasks) {
  RowLayout layout;
  // An item that shows more than fits has all of it elsewhere: then a smaller row is the better.
  auto grow = [](size_t& columns, size_t wanted, size_t most) {
    if (wanted <= most) columns = std::max(columns, wanted);
  };
  for (const TaskRecord& task : tasks) {
    grow(layout.num_visuals, task.shape.num_visuals, kMostVisuals);
    grow(layout.num_texts, task.shape.num_texts, kMostTexts);
    grow(layout.num_scores, task.shape.num_scores, kMostScores);
    layout.num_values = std::max(layout.num_values, task.columns.size());
  }
  std::string more;
  auto add = [&](const std::string& name, size_t count, const char* type) {
    for (size_t i = 0; i < count; ++i) more += fmt::format(", {}_{}{}", name, i + 1, type);
  };
  add("visual", layout.num_visuals, " INTEGER");
  add("text", layout.num_texts, " INTEGER");
  add("score", layout.num_scores, "");
  add("value", layout.num_values, "");
  database.run((fmt::format(kSamples, more) + views_of(layout, tasks)).c_str());
}

int version_of(Database& database) {
  const int version = stored_version(database);
  if (version < kOldestSchema || version > kSchemaVersion) refuse(database, version);
  return version;
}

RowLayout layout_of(Database& database) {
  RowLayout layout;
  layout.version = version_of(database);
  Statement columns(database, "SELECT name FROM pragma_table_info('samples')");
  while (columns.step()) {
    layout.has_rows = true;
    const std::string_view name = columns.text(0);
    layout.num_visuals += name.starts_with("visual_");
    layout.num_texts += name.starts_with("text_");
    layout.num_scores += name.starts_with("score_");
    layout.num_values += name.starts_with("value_");
  }
  Statement tasks(
      database,
      "SELECT (SELECT count(*) FROM columns c WHERE c.task = t.task), (SELECT "
      "total(num_items) FROM parts p WHERE p.task = t.task) FROM tasks t ORDER BY task");
  while (tasks.step()) {
    layout.num_columns.push_back(static_cast<size_t>(tasks.integer(0)));
    layout.num_items.push_back(static_cast<uint64_t>(tasks.integer(1)));
  }
  return layout;
}

}  // namespace snellen::store
