// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/run_differences.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace snellen::report {
namespace {

StoredRun run(const char* stamp) {
  return {.paths = store::RunPaths("x"),
          .stamp = nlohmann::ordered_json::parse(stamp),
          .verdict = "complete",
          .model = "m"};
}

TEST(RunDifferences, NamesOtherAnnotationsTasksAndSettings) {
  StoredRun first =
      run(R"({"identity": {"version": "1", "settings": {"compat": "true", "seed": "1"},
                            "tasks": {"t": {"inputs": {"f.json": "aaaa", "g.json": "b"}}, "u": {}}}})");
  StoredRun second =
      run(R"({"identity": {"version": "2", "settings": {"compat": "false", "seed": "2"},
                             "tasks": {"t": {"inputs": {"f.json": "cccc", "h.json": "d"}}, "v": {}}}})");
  std::vector<std::string> lines = run_differences(first, "A", second, "B");
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0],
            "t: f.json is not the same file in A (sha256 aaaa) and B (cccc): an item id may stand "
            "for another item");
  EXPECT_EQ(lines[1], "u is only in A");
  EXPECT_EQ(lines[2], "v is only in B");
  EXPECT_EQ(lines[3], "setting compat is 'true' in A and 'false' in B");
  EXPECT_EQ(lines[4], "A was made by version 1, B by 2");
}

TEST(RunDifferences, SurvivesStampsOfAnyShapeAndBoundsTheLines) {
  EXPECT_TRUE(run_differences(run("{}"), "A", run(R"({"identity": 3})"), "B").empty());
  EXPECT_TRUE(run_differences(run(R"({"identity": {"tasks": {"t": 1}}})"),
                              "A",
                              run(R"({"identity": {"tasks": {"t": []}}})"),
                              "B")
                  .empty());
  std::string tasks;
  for (int i = 0; i < 100; ++i) tasks += fmt::format("{}\"t{}\": {{}}", i > 0 ? ", " : "", i);
  StoredRun many = run(fmt::format("{{\"identity\": {{\"tasks\": {{{}}}}}}}", tasks).c_str());
  EXPECT_EQ(run_differences(many, "A", run(R"({"identity": {"tasks": {}}})"), "B").size(), 21U);
}

}  // namespace
}  // namespace snellen::report
