// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/base/hash.h"
#include "snellen/store/samples/schema.h"

namespace snellen::store {
namespace {

std::filesystem::path fresh(const char* name) {
  auto path = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(path);
  return path;
}

std::vector<TaskRecord> one_task(TaskRecord::Shape shape = {1, 2, 2}, uint64_t num_items = 100) {
  return {{.name = "t",
           .parts = {{"p", num_items}},
           .columns = {{.name = "acc", .is_share = true, .chance = 0.5}},
           .shape = shape}};
}

Samples made(const char* name, TaskRecord::Shape shape = {1, 2, 2}) {
  Samples samples = Samples::open_to_write(fresh(name));
  samples.set_tasks(one_task(shape));
  return samples;
}

Sample scored(uint64_t position, double value) {
  return {.task = 0,
          .position = position,
          .part = 0,
          .item = std::to_string(position),
          .clusters = {"c"},
          .category = "k",
          .scores = {value, std::nan("")},
          .values = {value},
          .is_correct = true,
          .margin = value,
          .detail = Detail::of_json(R"({"mods": [0.25, 1, null], "name": "a\"b", "is": true})"),
          .visuals = {{.name = "v", .path = "/v.png"}},
          .texts = {"a cat", "a dog"},
          .pairs = {{0, 0}, {0, 1}}};
}

Sample failed(uint64_t position) {
  return {.task = 0,
          .position = position,
          .item = std::to_string(position),
          .status = SampleStatus::kFailed,
          .error = Error{ErrorCode::kInvalidInput, "what", "where", "hint"}};
}

std::vector<Sample> all_of(Samples& samples) {
  std::vector<Sample> rows;
  samples.for_each_between(0, 0, 100, [&](Sample& row) { rows.push_back(row); });
  return rows;
}

TEST(Samples, GivesBackWhatWasAdded) {
  made("samples_back.db").add(std::vector<Sample>{scored(0, 0.1), failed(1)});
  Samples samples =
      Samples::open_to_read(std::filesystem::path(testing::TempDir()) / "samples_back.db");
  EXPECT_EQ(samples.tasks()[0].columns[0].chance, 0.5);
  EXPECT_EQ(samples.counts(0).scored, 1U);
  EXPECT_EQ(samples.counts(0).failed, 1U);
  EXPECT_EQ(samples.done(0, 3), (std::vector<bool>{true, true, false}));
  std::vector<Sample> rows = all_of(samples);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].values, std::vector<double>{0.1});
  EXPECT_EQ(rows[0].scores[0], 0.1);
  EXPECT_TRUE(std::isnan(rows[0].scores[1]));
  EXPECT_EQ(rows[0].detail.json(), R"({"mods": [0.25, 1, null], "name": "a\"b", "is": true})");
  EXPECT_EQ(rows[0].texts, (std::vector<std::string>{"a cat", "a dog"}));
  EXPECT_EQ(rows[0].visuals.at(0).path, "/v.png");
  EXPECT_EQ(rows[0].pairs, scored(0, 0).pairs);
  EXPECT_EQ(rows[1].error->hint(), "hint");
  EXPECT_TRUE(rows[1].values.empty());
}

TEST(Samples, KeepsMoreThanFitsARow) {
  Samples samples = made("samples_long.db");
  Sample row = scored(3, 1);
  row.scores.clear();
  row.texts.clear();
  row.pairs.clear();
  for (uint32_t i = 0; i < 100; ++i) {
    row.scores.push_back(i == 7 ? -0.0 : i / 3.0);
    row.texts.push_back("text " + std::to_string(i));
    row.pairs.push_back({0, i});
  }
  row.visuals = {{.name = "a"}, {.name = "b"}};
  row.answers = {"yes", "no"};
  samples.add(std::vector<Sample>{scored(0, 1), row});
  const Sample back = all_of(samples).at(1);
  EXPECT_EQ(back.scores, row.scores);
  EXPECT_TRUE(std::signbit(back.scores[7]));
  EXPECT_EQ(back.texts, row.texts);
  EXPECT_EQ(back.pairs, row.pairs);
  EXPECT_EQ(back.answers, row.answers);
  ASSERT_EQ(back.visuals.size(), 2U);
  EXPECT_EQ(back.visuals[1].name, "b");
}

TEST(Samples, StoresTextsAndVisualsOnce) {
  const auto path = fresh("samples_once.db");
  for (uint64_t position : {0U, 1U}) {  // the second time as a run that goes on
    Samples samples = Samples::open_to_write(path);
    samples.set_tasks(one_task());
    samples.add(std::vector<Sample>{scored(position, 1), scored(position + 10, 1)});
  }
  Database database(path, Database::Access::kReadOnly);
  EXPECT_EQ(database.integer("SELECT count(*) FROM texts"), 2);
  EXPECT_EQ(database.integer("SELECT count(*) FROM visuals"), 1);
  EXPECT_EQ(database.integer("SELECT count(*) FROM samples"), 4);
}

TEST(Samples, CanBeReadInPlainSql) {
  Samples samples = made("samples_sql.db");
  samples.add(std::vector<Sample>{scored(0, 0.5), failed(1)});
  Database database(samples.path(), Database::Access::kReadOnly);
  auto text = [&](const char* sql) {
    Statement statement(database, sql);
    return statement.step() ? std::string(statement.text(0)) : std::string("nothing");
  };
  EXPECT_EQ(text("SELECT texts || ';' || pictures || ';' || scores || ';' || decision FROM items "
                 "WHERE item = '0'"),
            "a cat | a dog;/v.png;0.5;1");
  EXPECT_EQ(text("SELECT reason FROM items WHERE status = 'failed'"), "what");
  EXPECT_EQ(text("SELECT value FROM outcomes WHERE name = 'acc'"), "0.5");
  EXPECT_EQ(text("SELECT acc FROM \"task t\" WHERE item = '0'"), "0.5");
  EXPECT_EQ(text("SELECT group_concat(name || place || coalesce(number, text), ' ') FROM details"),
            "mods00.25 mods11 is01 name0a\"b");
  EXPECT_EQ(text("SELECT score FROM scores s WHERE s.text = 0"), "0.5");
}

TEST(Samples, DigestIsThatOfSchemaOneAndLeavesTimesOut) {
  Samples samples = made("samples_digest.db");
  Sample row = scored(0, 0.5);
  row.clusters = {"c", "second"};
  row.micros = 99;
  samples.add(std::vector<Sample>{row, failed(1)});
  const std::string u = "\x1f";
  const std::string expected =
      "0" + u + "0" + u + "0" + u + "c" + u + "k" + u + "scored" + u + "[0.5,null]" + u + "[0.5]" +
      u + "0" + u + "1" + u + "0.5" + u +
      R"({"mods": [0.25, 1, null], "name": "a\"b", "is": true})" + u + "\\N" + u + "\n" + "1" + u +
      "0" + u + "1" + u + u + u + "failed" + u + "[]" + u + "[]" + u + "0" + u + "\\N" + u + "\\N" +
      u + "\\N" + u + R"({"code":"invalid_input","what":"what","where":"where","hint":"hint"})" +
      u + "\n";
  EXPECT_EQ(samples.digest(), sha256_hex(expected));
  samples.read_with(3);
  EXPECT_EQ(samples.digest(), sha256_hex(expected));
}

TEST(Samples, ReadsSchemaOneAndDoesNotWriteIt) {
  const auto path = fresh("samples_old.db");
  Database(path, Database::Access::kReadWrite).run(R"sql(
CREATE TABLE tasks(task INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE parts(task INTEGER NOT NULL, part INTEGER NOT NULL, name TEXT NOT NULL, num_items INTEGER NOT NULL, PRIMARY KEY(task, part));
CREATE TABLE columns(task INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL, is_share INTEGER NOT NULL,
                     higher_is_better INTEGER NOT NULL, chance REAL, has_breakdown INTEGER NOT NULL, PRIMARY KEY(task, place));
CREATE TABLE samples(id INTEGER PRIMARY KEY, part INTEGER NOT NULL, item TEXT NOT NULL, cluster TEXT NOT NULL,
                     category TEXT NOT NULL, status TEXT NOT NULL, scores TEXT, outcome TEXT, ties INTEGER,
                     correct INTEGER, margin REAL, detail TEXT, error TEXT, micros INTEGER NOT NULL);
INSERT INTO tasks VALUES(0, 't'); INSERT INTO parts VALUES(0, 0, 'p', 100); INSERT INTO columns VALUES(0, 0, 'acc', 1, 1, 0.5, 0);
INSERT INTO samples VALUES(0, 0, '0', 'c', 'k', 'scored', '[0.5,null]', '[0.5]', 0, 1, 0.5,
                           '{"mods": [0.25, 1, null], "name": "a\"b", "is": true}', NULL, 3);
PRAGMA user_version = 1)sql");
  const std::string before = sha256_of_file(path);
  Samples old = Samples::open_to_read(path);
  Samples now = made("samples_now.db");
  now.add(std::vector<Sample>{scored(0, 0.5)});
  EXPECT_EQ(old.digest(), now.digest());
  EXPECT_EQ(all_of(old).at(0).values, std::vector<double>{0.5});
  EXPECT_EQ(all_of(old).at(0).detail, scored(0, 0).detail);
  EXPECT_FALSE(old.has_shared_clusters(0, 0));
  EXPECT_THROW(Samples::open_to_write(path), Error);
  EXPECT_EQ(sha256_of_file(path), before);
}

TEST(Samples, AddsABatchWholeOrNotAtAll) {
  Samples samples = made("samples_whole.db");
  EXPECT_THROW(samples.add(std::vector<Sample>{scored(0, 1), scored(0, 2)}), Error);
  EXPECT_EQ(samples.counts(0).total(), 0U);
  // Texts of the batch that was taken back are not taken for stored.
  samples.add(std::vector<Sample>{scored(0, 1)});
  EXPECT_EQ(all_of(samples).at(0).texts.size(), 2U);
}

TEST(Samples, RemembersTheIdentityAndWhatWasRead) {
  Samples samples = made("samples_identity.db");
  EXPECT_TRUE(samples.identity().empty());
  const IdentityFacts facts = {{"settings.seed", "1"}, {"version", "0.1"}};
  samples.set_identity(facts);
  EXPECT_EQ(samples.identity(), facts);
  samples.add(std::vector<Sample>{scored(0, 1)});
  const ShownVisual::Read read{.size = 5, .mtime_ns = 7, .key = ContentKey{.low = 1, .high = 2}};
  samples.set_read(std::vector<std::pair<int64_t, ShownVisual::Read>>{{1, read}});
  samples.for_each_visual(
      [&](const Samples::StoredVisual& one) { EXPECT_EQ(one.visual.read, read); });
  EXPECT_EQ(samples.visual_digest().count, 1U);
}

TEST(Samples, RefusesAnotherSchemaVersionAndOtherDatabases) {
  auto newer = fresh("samples_newer.db");
  Database(newer, Database::Access::kReadWrite).run("PRAGMA user_version = 99");
  EXPECT_THROW(Samples::open_to_write(newer), Error);
  EXPECT_THROW(Samples::open_to_read(newer), Error);
  auto other = fresh("samples_other.db");
  Database(other, Database::Access::kReadWrite).run("CREATE TABLE x(y)");
  EXPECT_THROW(Samples::open_to_write(other), Error);
  auto text = fresh("samples_text.db");
  write_text_file(text, std::string(5000, 'x'));
  EXPECT_THROW(Samples::open_to_write(text), Error);
}

TEST(Samples, RefusesARowFarBeyondItsTask) {
  Samples samples = made("samples_beyond.db");
  samples.add(std::vector<Sample>{scored(0, 1)});
  Database(samples.path(), Database::Access::kReadWrite)
      .run("UPDATE samples SET id = 1099511627775");
  samples.read_with(2);
  EXPECT_THROW(samples.digest(), Error);
}

TEST(Numbers, SurviveJson) {
  std::vector<double> numbers = {0.1,
                                 -1e300,
                                 std::nan(""),
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};
  std::string json;
  append_numbers_json(json, numbers);
  std::vector<double> back = numbers_from_json(json);
  EXPECT_EQ(back[0], 0.1);
  EXPECT_TRUE(std::isnan(back[2]));
  EXPECT_EQ(back[3], numbers[3]);
  EXPECT_EQ(back[4], numbers[4]);
  EXPECT_THROW(numbers_from_json("[1,x]"), Error);
  EXPECT_TRUE(numbers_from_json("[]").empty());
}

TEST(Detail, OfValuesIsThatOfTheirJson) {
  const std::vector<double> scores = {1, 0.25, std::nan("")};
  const JsonValue value = JsonObject{{"name", "caf\u00e9 \"x\" \x7f"},
                                     {"is", true},
                                     {"n", 12},
                                     {"inner", JsonObject{{"scores", scores}}},
                                     {"none", std::vector<std::string>()}};
  for (const bool is_ascii : {false, true}) {
    const JsonStyle style = {.is_ascii = is_ascii, .non_finite = NonFinite::kToken};
    EXPECT_EQ(Detail::of(value, style), Detail::of_json(value.written(style)));
  }
}

TEST(Detail, ComesBackByteByByte) {
  for (const char* json :
       {"",
        "{}",
        R"({"tags":["a","b\n","é"]})",
        R"({"object": "caf\u00e9", "gt": [0.1, 1e-05, -0.0, 1.0, NaN], "n": 12})",
        R"({"missing": false, "empty": true})",
        "[1, 01, 1.50, 1e5, \"open",
        "no json \x01 at all"}) {
    EXPECT_EQ(Detail::of_json(json).json(), json);
  }
  const std::vector<DetailHole> holes =
      holes_of(Detail::of_json(R"({"a": {"b": [1, 2.5]}})").shape);
  ASSERT_EQ(holes.size(), 2U);
  EXPECT_EQ(holes[1].name, "a.b");
  EXPECT_EQ(holes[1].place, 1U);
}

}  // namespace
}  // namespace snellen::store
