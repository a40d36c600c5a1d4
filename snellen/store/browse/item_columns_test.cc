// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/browse/item_columns.h"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "snellen/store/browse/column_file.h"

namespace snellen::store {
namespace {

// Rows with margins 1, -2, 0, NaN, 0.5 and -0.25; odd rows are of category "b".
ItemColumns six_rows() {
  ItemColumns columns;
  columns.groups = {{0, 0}, {0, 1}};
  columns.categories = {"", "a", "b"};
  columns.tags = {"", "red", "small"};
  const std::vector<double> margins = {1, -2, 0, std::nan(""), 0.5, -0.25};
  for (size_t i = 0; i < margins.size(); ++i) {
    columns.ids.push_back(static_cast<int64_t>(i));
    columns.margins.push_back(margins[i]);
    columns.outcomes.push_back(std::isnan(margins[i]) ? ItemOutcome::kFailed
                               : margins[i] > 0       ? ItemOutcome::kRight
                               : margins[i] < 0       ? ItemOutcome::kWrong
                                                      : ItemOutcome::kTie);
    columns.group.push_back(i < 3 ? 0 : 1);
    columns.category.push_back(i % 2 == 0 ? 1 : 2);
    if (i == 1 || i == 4) columns.tags_of_rows.push_back(1);
    if (i == 4 || i == 5) columns.tags_of_rows.push_back(2);
    columns.tags_end.push_back(static_cast<uint32_t>(columns.tags_of_rows.size()));
    columns.item_keys.push_back(item_key("t", "", std::to_string(i)));
    columns.visual_keys.push_back(i / 2);
  }
  columns.sort();
  return columns;
}

std::vector<uint32_t> rows(const ItemFilter& filter, ItemSort sort) {
  return find_rows(six_rows(), filter, sort, 0, 100).rows;
}

TEST(ItemColumns, SortByMarginWithUndefinedOnesLast) {
  EXPECT_EQ(rows({}, ItemSort::kMarginUp), (std::vector<uint32_t>{1, 5, 2, 4, 0, 3}));
  EXPECT_EQ(rows({}, ItemSort::kMarginDown), (std::vector<uint32_t>{0, 4, 2, 5, 1, 3}));
}

TEST(ItemColumns, SortByDoubtFromATieOutwards) {
  EXPECT_EQ(rows({}, ItemSort::kDoubt), (std::vector<uint32_t>{2, 5, 4, 0, 1, 3}));
}

TEST(ItemColumns, FilterByAnyOfTheTagsOfAnItem) {
  EXPECT_EQ(rows({.tag = "red"}, ItemSort::kOrder), (std::vector<uint32_t>{1, 4}));
  EXPECT_EQ(rows({.tag = "small"}, ItemSort::kOrder), (std::vector<uint32_t>{4, 5}));
  EXPECT_EQ(rows({.tag = "unknown"}, ItemSort::kOrder), (std::vector<uint32_t>{}));
}

TEST(ItemColumns, FilterByPartCategoryOutcomeAndMargin) {
  EXPECT_EQ(rows({.part = 1}, ItemSort::kOrder), (std::vector<uint32_t>{3, 4, 5}));
  EXPECT_EQ(rows({.category = "b"}, ItemSort::kOrder), (std::vector<uint32_t>{1, 3, 5}));
  EXPECT_EQ(rows({.category = "unknown"}, ItemSort::kOrder), (std::vector<uint32_t>{}));
  EXPECT_EQ(rows({.outcome = ItemOutcome::kTie}, ItemSort::kOrder), (std::vector<uint32_t>{2}));
  EXPECT_EQ(rows({.least_margin = -0.5, .most_margin = 0.5}, ItemSort::kOrder),
            (std::vector<uint32_t>{2, 4, 5}));
}

TEST(ItemColumns, PageThroughWhatPasses) {
  const FoundRows page = find_rows(six_rows(), {}, ItemSort::kOrder, 4, 10);
  EXPECT_EQ(page.total, 6U);
  EXPECT_EQ(page.rows, (std::vector<uint32_t>{4, 5}));
}

TEST(ItemColumns, FindItemsByKey) {
  EXPECT_EQ(six_rows().row_of(item_key("t", "", "4")), 4U);
  EXPECT_FALSE(six_rows().row_of(item_key("t", "", "9")));
}

TEST(MarginHistogram, HoldsEveryRowOnce) {
  const MarginHistogram histogram = margin_histogram(six_rows(), {}, 3);
  ASSERT_EQ(histogram.bins.size(), 3U);
  EXPECT_EQ(histogram.ties, 1U);
  EXPECT_EQ(histogram.undefined, 1U);
  EXPECT_EQ(histogram.bins[0].wrong, 1U);
  EXPECT_EQ(histogram.bins[2].right, 2U);
  uint64_t total = 0;
  for (const MarginHistogram::Bin& bin : histogram.bins)
    total += bin.right + bin.wrong + bin.others;
  EXPECT_EQ(total, 5U);
}

TEST(ColumnFile, ComesBackAsItWasAndIsRefusedWhenDamaged) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / "snellen_column_file_test.columns";
  const ItemColumns columns = six_rows();
  write_columns(columns, path);
  const std::optional<ItemColumns> read = read_columns(path);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->by_margin, columns.by_margin);
  EXPECT_EQ(read->categories, columns.categories);
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file.put('\x7f');
  }
  EXPECT_FALSE(read_columns(path));
  std::filesystem::resize_file(path, 40);
  EXPECT_FALSE(read_columns(path));
  std::filesystem::remove(path);
  EXPECT_FALSE(read_columns(path));
}

}  // namespace
}  // namespace snellen::store
