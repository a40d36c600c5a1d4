// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/compared.h"

#include <gtest/gtest.h>

namespace snellen::viewer {
namespace {

using store::ItemColumns;
using store::ItemOutcome;

// A run of as many items; r, w and f are right, wrong and failed.
ItemColumns run_of(std::string_view outcomes) {
  ItemColumns columns;
  columns.groups = {{0, 0}};
  columns.categories = columns.tags = {""};
  for (size_t i = 0; i < outcomes.size(); ++i) {
    columns.ids.push_back(static_cast<int64_t>(i));
    columns.margins.push_back(outcomes[i] == 'r' ? 1 : -1);
    columns.outcomes.push_back(outcomes[i] == 'r'   ? ItemOutcome::kRight
                               : outcomes[i] == 'w' ? ItemOutcome::kWrong
                                                    : ItemOutcome::kFailed);
    columns.group.push_back(0);
    columns.category.push_back(0);
    columns.tags_end.push_back(0);
    columns.item_keys.push_back(store::item_key("t", "", std::to_string(i)));
    columns.visual_keys.push_back(0);
  }
  columns.sort();
  return columns;
}

ComparedPage page_of_three(Agreement shown) {
  const ItemColumns a = run_of("rrwwf"), b = run_of("rrwrf"), c = run_of("rwwwf");
  const std::vector<const ItemColumns*> runs = {&a, &b, &c};
  return compared_page(runs, join_items(runs), {}, shown, CompareSort::kOrder, 0, 100);
}

TEST(Compared, ClassesOfThreeRunsAreAllRightAllWrongAndWhereTheyDiffer) {
  const ComparedPage page = page_of_three(Agreement::kAll);
  EXPECT_EQ(page.every_right, 1U);
  EXPECT_EQ(page.every_wrong, 1U);
  EXPECT_EQ(page.differ, 2U);
  EXPECT_EQ(page.counts.undecided, 1U);
  EXPECT_EQ(page_of_three(Agreement::kEveryRight).items, (std::vector<uint32_t>{0}));
  EXPECT_EQ(page_of_three(Agreement::kEveryWrong).items, (std::vector<uint32_t>{2}));
  EXPECT_EQ(page_of_three(Agreement::kDiffer).items, (std::vector<uint32_t>{1, 3}));
}

}  // namespace
}  // namespace snellen::viewer
