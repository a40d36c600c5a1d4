// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/cache/row_cache.h"

#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/store/cache/cache_folder.h"

namespace snellen::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class RowCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  RowCacheOptions options(uint64_t scope = 1) const {
    return {.folder = folder_,
            .max_bytes = max_bytes_,
            .scope = {scope, 0},
            .about = fmt::format("model {}", scope)};
  }
  static ContentKey key(uint64_t number) { return content_key(fmt::format("{}", number)); }
  // Rows of four numbers, from `first` on.
  void fill(uint64_t first, uint64_t count, uint64_t scope = 1) const {
    RowCache cache(options(scope));
    for (uint64_t i = first; i < first + count; ++i)
      cache.add(key(i), std::vector<float>{static_cast<float>(i), 1, 2, 3});
  }
  uint64_t num_found(uint64_t count, uint64_t scope = 1) const {
    RowCache cache(options(scope));
    std::vector<float> row;
    uint64_t found = 0;
    for (uint64_t i = 0; i < count; ++i) {
      if (!cache.find(key(i), row)) continue;
      EXPECT_THAT(row, ElementsAre(static_cast<float>(i), 1, 2, 3));
      ++found;
    }
    EXPECT_EQ(cache.counts().found, found);
    return found;
  }
  std::vector<CacheSegment> segments(uint64_t scope = 1) const {
    return segments_in(scope_folder(folder_, {scope, 0}));
  }

  fs::path folder_;
  uint64_t max_bytes_ = 1 << 20;
};

TEST_F(RowCacheTest, FindsWhatAnEarlierOneAdded) {
  EXPECT_EQ(num_found(5), 0U);
  fill(0, 100);
  EXPECT_EQ(num_found(200), 100U);
  EXPECT_EQ(num_found(200, /*scope=*/2), 0U) << "another model's rows";
}

TEST_F(RowCacheTest, ManyThreadsAndManyWritersLoseNothing) {
  {
    RowCache one(options());
    RowCache other(options());
    std::vector<std::jthread> threads;
    for (uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (uint64_t i = t * 100; i < t * 100 + 100; ++i)
          (t % 2 == 0 ? one : other)
              .add(key(i), std::vector<float>{static_cast<float>(i), 1, 2, 3});
      });
    }
  }
  EXPECT_EQ(segments().size(), 2U);
  EXPECT_EQ(num_found(400), 400U);
}

TEST_F(RowCacheTest, ADamagedRowIsAbsentAndTheOthersAreNot) {
  fill(0, 10);
  {
    std::fstream file(segments().front().rows, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(3 * 16 + 5);
    file.put('\x55');
  }
  EXPECT_EQ(num_found(10), 9U);
  fill(3, 1);
  EXPECT_EQ(num_found(10), 10U) << "computed and added again";
}

TEST_F(RowCacheTest, FilesThatWereCutShortOrDeletedAreNoTrouble) {
  fill(0, 10);
  fs::path rows = segments().front().rows;
  fs::resize_file(index_of(rows), 8 * sizeof(IndexRecord) + 7);
  EXPECT_EQ(num_found(10), 8U);
  fs::resize_file(rows, 5 * 16 + 3);
  EXPECT_EQ(num_found(10), 5U);
  fs::remove(rows);
  EXPECT_EQ(num_found(10), 0U);
  fill(0, 10);
  EXPECT_EQ(num_found(10), 10U);
}

TEST_F(RowCacheTest, AnIndexOfNonsenseIsNoTrouble) {
  fill(0, 3);
  fs::path rows = segments().front().rows;
  std::string nonsense(4000, '\xFF');
  write_text_file(index_of(rows), nonsense);
  EXPECT_EQ(num_found(3), 0U);
}

TEST_F(RowCacheTest, AFolderThatCannotBeWrittenIsAWarning) {
  write_text_file(folder_, "a file in its place");
  RowCache cache(options());
  cache.add(key(1), std::vector<float>{1});
  cache.add(key(2), std::vector<float>{1});
  std::vector<float> row;
  EXPECT_FALSE(cache.find(key(1), row));
  ASSERT_EQ(cache.warnings().size(), 1U);
  EXPECT_THAT(cache.warnings().front(), HasSubstr("the cache is not written"));
  EXPECT_EQ(cache.counts().added, 0U);
}

TEST_F(RowCacheTest, DropsWhatWasNotUsedForLongest) {
  max_bytes_ = 20'000;  // 5,000 a segment: 90 rows of 56 bytes
  fill(0, 80, 1);
  fill(0, 80, 2);
  fill(0, 80, 3);
  fill(0, 80, 4);
  auto age = [&](uint64_t scope, int hours) {
    for (const CacheSegment& one : segments(scope))
      fs::last_write_time(one.rows, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  age(1, 4);
  age(2, 3);
  age(3, 2);
  EXPECT_EQ(num_found(80, 1), 80U);  // used again
  fill(100, 80, 5);
  EXPECT_EQ(num_found(80, 1), 80U);
  EXPECT_EQ(num_found(80, 2), 0U);
  EXPECT_FALSE(fs::exists(scope_folder(folder_, {2, 0})));
  uint64_t total = 0;
  for (const CacheScope& scope : scopes_of(folder_)) total += scope.num_bytes;
  EXPECT_LE(total, max_bytes_);
}

TEST_F(RowCacheTest, OneRunLargerThanTheCacheStaysWithinIt) {
  max_bytes_ = 50'000;
  fill(0, 5000);
  uint64_t total = 0;
  for (const CacheSegment& segment : segments()) total += segment.num_bytes;
  EXPECT_LE(total, max_bytes_);
  EXPECT_GT(total, max_bytes_ / 4);
}

TEST_F(RowCacheTest, TellsWhatItHoldsAndClearsNothingElse) {
  fill(0, 10, 1);
  fill(0, 20, 2);
  write_text_file(folder_ / "meteor.index", "somebody else's");
  write_text_file(folder_ / "rows-1" / "x" / "notes.txt", "somebody else's");
  std::vector<CacheScope> scopes = scopes_of(folder_);
  ASSERT_EQ(scopes.size(), 2U);
  EXPECT_EQ(scopes[0].num_rows + scopes[1].num_rows, 30U);
  EXPECT_THAT(scopes[0].about, HasSubstr("model "));
  Cleared cleared = clear_cache(folder_);
  EXPECT_EQ(cleared.num_rows, 30U);
  EXPECT_EQ(cleared.num_bytes, 30U * 56);
  EXPECT_TRUE(scopes_of(folder_).empty());
  EXPECT_TRUE(fs::exists(folder_ / "meteor.index"));
  EXPECT_TRUE(fs::exists(folder_ / "rows-1" / "x" / "notes.txt"));
  EXPECT_EQ(clear_cache(folder_ / "nowhere").num_rows, 0U);
}

}  // namespace
}  // namespace snellen::store
