// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/samples.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/store/schema.h"

namespace snellen::store {
namespace {

std::filesystem::path fresh(const char* name) {
  auto path = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(path);
  return path;
}

Sample scored(uint64_t position, double value) {
  return {.task = 0,
          .position = position,
          .part = 0,
          .item = std::to_string(position),
          .cluster = "c",
          .category = "k",
          .scores = {value, std::nan("")},
          .values = {value},
          .is_correct = true,
          .margin = value,
          .detail = "{}"};
}

TEST(Samples, GivesBackWhatWasAdded) {
  auto path = fresh("samples_back.db");
  {
    Samples samples = Samples::open_to_write(path);
    samples.set_tasks({{.name = "t",
                        .parts = {{"p", 3}},
                        .columns = {{.name = "acc", .is_share = true, .chance = 0.5}}}});
    Sample failed{.task = 0,
                  .position = 1,
                  .part = 0,
                  .item = "1",
                  .cluster = "",
                  .category = "",
                  .status = SampleStatus::kFailed,
                  .error = Error{ErrorCode::kInvalidInput, "what", "where", "hint"}};
    std::vector<Sample> batch = {scored(0, 0.1), failed};
    samples.add(batch);
  }
  Samples samples = Samples::open_to_read(path);
  EXPECT_EQ(samples.tasks()[0].columns[0].chance, 0.5);
  EXPECT_EQ(samples.counts(0).scored, 1U);
  EXPECT_EQ(samples.counts(0).failed, 1U);
  EXPECT_EQ(samples.done(0, 3), (std::vector<bool>{true, true, false}));
  std::vector<Sample> rows;
  samples.for_each(0, 0, [&](const Sample& row) { rows.push_back(row); });
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].values[0], 0.1);
  EXPECT_TRUE(std::isnan(rows[0].scores[1]));
  EXPECT_EQ(rows[1].error->hint(), "hint");
}

TEST(Samples, DigestLeavesTimesOut) {
  auto one = fresh("samples_one.db");
  auto two = fresh("samples_two.db");
  Sample row = scored(0, 0.5);
  Samples a = Samples::open_to_write(one);
  a.add(std::vector<Sample>{row});
  row.micros = 99;
  Samples b = Samples::open_to_write(two);
  b.add(std::vector<Sample>{row});
  EXPECT_EQ(a.digest(), b.digest());
}

TEST(Samples, AddsABatchWholeOrNotAtAll) {
  Samples samples = Samples::open_to_write(fresh("samples_whole.db"));
  std::vector<Sample> batch = {scored(0, 1), scored(0, 2)};
  EXPECT_THROW(samples.add(batch), Error);
  EXPECT_EQ(samples.counts(0).total(), 0U);
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

TEST(Numbers, SurviveJson) {
  std::vector<double> numbers = {0.1,
                                 -1e300,
                                 std::nan(""),
                                 std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()};
  std::vector<double> back = numbers_from_json(numbers_to_json(numbers));
  EXPECT_EQ(back[0], 0.1);
  EXPECT_TRUE(std::isnan(back[2]));
  EXPECT_EQ(back[3], numbers[3]);
  EXPECT_EQ(back[4], numbers[4]);
  EXPECT_THROW(numbers_from_json("[1,x]"), Error);
  EXPECT_TRUE(numbers_from_json("[]").empty());
}

}  // namespace
}  // namespace snellen::store
