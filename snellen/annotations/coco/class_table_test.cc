// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/coco/class_table.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"

namespace snellen::annotations {
namespace {

std::filesystem::path csv_with(std::string_view text) {
  auto path = std::filesystem::path(testing::TempDir()) / "prompt_classes.csv";
  write_text_file(path, text);
  return path;
}

TEST(ClassTable, HoldsTheEightyCocoClassesInIdOrder) {
  ClassTable table = ClassTable::coco();
  EXPECT_EQ(table.size(), 80U);
  EXPECT_EQ(*table.find("toilet"), *table.find("dining table") + 1);
  EXPECT_EQ(*table.find("sink"), *table.find("toaster") + 1);
  EXPECT_EQ(table[4].prompt, "A photo of a airplane.");
  EXPECT_FALSE(table.find("unicorn"));
  EXPECT_EQ(object_category("sink"), "fixture");
}

TEST(ClassTable, TakesTheClassFromItsColumnOrFromThePrompt) {
  auto path = csv_with("prompt,class\nA photo of an apple.,apple\n");
  EXPECT_EQ(ClassTable::from_csv(path, /*from_prompt=*/false)[0].name, "apple");
  EXPECT_THROW(ClassTable::from_csv(path, /*from_prompt=*/true), Error);
}

TEST(ClassTable, RefusesMissingColumnsAndDoubleClasses) {
  EXPECT_THROW(ClassTable::from_csv(csv_with("name\nx\n"), false), Error);
  EXPECT_THROW(ClassTable::from_csv(csv_with("class,prompt\na,b\na,c\n"), false), Error);
  EXPECT_THROW(ClassTable::from_csv(csv_with("class,prompt\n"), false), Error);
}

}  // namespace
}  // namespace snellen::annotations
