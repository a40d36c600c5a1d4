// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/csv.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::annotations {
namespace {

TEST(Csv, ReadsQuotedFieldsAndPassesOverEmptyLines) {
  auto rows = parse_csv(
      "\xEF\xBB\xBF"
      "class,prompt\r\n\r\n\"a, b\",\"say \"\"x\"\"\ny\"\nlast,\n",
      "f");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1][0], "a, b");
  EXPECT_EQ(rows[1][1], "say \"x\"\ny");
  EXPECT_EQ(rows[2], (std::vector<std::string>{"last", ""}));
}

TEST(Csv, RefusesAQuoteThatNeverCloses) {
  EXPECT_THROW(parse_csv("a,\"b\n", "f"), Error);
}

}  // namespace
}  // namespace snellen::annotations
