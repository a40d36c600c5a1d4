// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/seed_json.h"

#include <gtest/gtest.h>

namespace snellen::tasks {
namespace {

TEST(SeedJson, WritesNestedListsInTheOrderTheyWereNamed) {
  SeedJson json(NonFinite::kNull);
  json.list({"b", "y"});
  json.add_float({"a"}, 0.5);
  json.add_float({"b", "x"}, 1.0);
  json.add_float({"a"}, 1e-5);
  json.put_empty_object({"c"});
  json.put_float({"d"}, 0.25);
  auto path = std::filesystem::path(testing::TempDir()) / "seed.json";
  json.write(path);
  EXPECT_EQ(read_text_file(path),
            R"({"b": {"y": [], "x": [1.0]}, "a": [0.5, 1e-05], "c": {}, "d": 0.25})");
}

TEST(SeedJson, SpillsLongListsWithoutChangingThem) {
  SeedJson json(NonFinite::kToken);
  std::string want = "{\"a\": [";
  for (int i = 0; i < 100000; ++i) {
    json.list({"a"}).add(std::to_string(i));
    want += (i > 0 ? ", " : "") + std::to_string(i);
  }
  auto path = std::filesystem::path(testing::TempDir()) / "seed_long.json";
  json.write(path);
  EXPECT_EQ(read_text_file(path), want + "]}");
}

}  // namespace
}  // namespace snellen::tasks
