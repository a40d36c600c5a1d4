// SPDX-License-Identifier: Apache-2.0
#include "snellen/inference/rows/row_store.h"

#include <array>
#include <limits>

#include <gmock/gmock.h>

namespace snellen::inference {
namespace {

namespace fs = std::filesystem;
using Origin = RowStore::Origin;
using testing::ElementsAre;

RowStore::Options options_of(const char* name, bool keeps_process_rows, bool has_scope) {
  const fs::path folder = fs::path(testing::TempDir()) / "row_store" / name;
  fs::create_directories(folder);
  RowStore::Options options{.folder = folder, .keeps_process_rows = keeps_process_rows};
  if (has_scope)
    options.scope = store::RowCacheOptions{
        .folder = folder / "cache", .max_bytes = 1 << 20, .scope = {1, 2}, .about = "x"};
  return options;
}

TEST(RowStore, KeepsNothingWithoutLayers) {
  RowStore store(options_of("none", false, false));
  EXPECT_FALSE(store.has_layers());
  store.add({1, 1}, std::array{1.0F});
  std::vector<float> row;
  EXPECT_EQ(store.find({1, 1}, row), Origin::kNone);
  EXPECT_TRUE(store.note({1, 1}));
  EXPECT_TRUE(store.note({1, 1}));
}

TEST(RowStore, TheProcessComesBeforeTheDisk) {
  fs::remove_all(fs::path(testing::TempDir()) / "row_store/both");
  std::vector<float> row;
  {
    RowStore first(options_of("both", true, true));
    first.add({1, 1}, std::array{1.0F, 2.0F});
    EXPECT_EQ(first.find({1, 1}, row), Origin::kProcess);
  }
  RowStore second(options_of("both", true, true));
  EXPECT_EQ(second.find({1, 1}, row), Origin::kDisk);
  EXPECT_THAT(row, ElementsAre(1, 2));
  second.add({1, 1}, row, Origin::kDisk);
  EXPECT_EQ(second.find({1, 1}, row), Origin::kProcess);
  EXPECT_EQ(second.disk()->counts().added, 0U);
}

TEST(RowStore, RowsThatAreNotFiniteAreNotKept) {
  RowStore store(options_of("finite", true, true));
  store.add({2, 2}, std::array{1.0F, std::numeric_limits<float>::quiet_NaN()});
  store.add({3, 3}, std::array{std::numeric_limits<float>::infinity()});
  std::vector<float> row;
  EXPECT_EQ(store.find({2, 2}, row), Origin::kNone);
  EXPECT_EQ(store.find({3, 3}, row), Origin::kNone);
}

TEST(RowStore, AProcessRemembersFailuresAndContents) {
  RowStore store(options_of("process", true, false));
  EXPECT_TRUE(store.note({1, 1}));
  EXPECT_FALSE(store.note({1, 1}));
  EXPECT_FALSE(store.failure({1, 1}));
  store.add_failure({1, 1}, Error{ErrorCode::kInvalidInput, "damaged"});
  EXPECT_EQ(store.failure({1, 1})->message(), "damaged");
  store.add_content({1, 1}, {5, 6});
  EXPECT_EQ(store.content({1, 1}), (ContentKey{5, 6}));
}

TEST(RowStore, KeysTellUnitsApart) {
  EXPECT_NE(row_key(Unit::kVisual, {1, 1}), row_key(Unit::kFrames, {1, 1}));
  EXPECT_NE(row_key(Unit::kPair, {1, 1}, "a"), row_key(Unit::kPair, {1, 1}, "b"));
}

}  // namespace
}  // namespace snellen::inference
