// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/config/options.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/task.h"

namespace snellen::tasks {

std::unique_ptr<TaskEntry> make_visdial_sets();

namespace {

namespace fs = std::filesystem;

std::string entry(int image, const std::vector<int>& members) {
  std::string mask;
  for (int i = 0; i < 100; ++i) {
    const bool is_member = std::find(members.begin(), members.end(), i) != members.end();
    mask += fmt::format("{}{}", i == 0 ? "" : ", ", is_member ? 1 : 0);
  }
  return fmt::format(
      "{{\"image_id\": {}, \"round_id\": 0, \"refs\": [\"a\"], \"gt_answer\": \"a\", "
      "\"in_cluster_idxs\": [{}]}}",
      image,
      mask);
}

TEST(VisdialSets, ComparesEachSetWithThatOfPeople) {
  const fs::path folder = fs::temp_directory_path() / "snellen_visdial_sets_test";
  fs::create_directories(folder);
  write_text_file(folder / "S.json",
                  fmt::format("[{}, {}]", entry(1, {0, 1, 2, 3}), entry(2, {5})));
  write_text_file(folder / "H.json", fmt::format("[{}]", entry(1, {0, 9})));
  const auto entry_of_task = make_visdial_sets();
  std::vector<config::Block> blocks = entry_of_task->facts().settings;
  blocks.emplace_back(SharedSettings{}, shared_options());
  config::Options options(blocks);
  options.set("references", (folder / "S.json").string(), "test");
  options.set("human", (folder / "H.json").string(), "test");
  const auto task = entry_of_task->open({.options = options, .model = "m"});
  EXPECT_EQ(task->parts()[0].name, "S");
  EXPECT_EQ(task->notes().size(), 1U);  // one set without a human one
  const Outcome first = task->judge(task->item(0).value(), {}).value();
  EXPECT_EQ(first.values, (std::vector<double>{0.25, 0.5, 0.2, 4, 1}));
  const Outcome second = task->judge(task->item(1).value(), {}).value();
  EXPECT_TRUE(std::isnan(second.values[0]));
  EXPECT_EQ(second.values[3], 1);
  fs::remove_all(folder);
}

// docs/spec/visdial.md 2.7: what is undefined everywhere ends with exit code 1.
TEST(VisdialSets, EndsWithOneWhereAFileHasNothingToCompare) {
  const auto task = make_visdial_sets();
  std::vector<metrics::Measurement> metrics = {
      {.id = "visdial-sets/S/precision", .value = 0.5, .n = 4, .low = 0.25, .high = 0.75},
      {.id = "visdial-sets/S/size", .value = 3, .n = 4},
      {.id = "visdial-sets/M/precision", .n = 4},
      {.id = "visdial-sets/M/has_given"}};
  metrics[2].value = 1;
  const config::Options options(task->facts().settings);
  auto reported = [&] {
    return task->facts().report({.options = options, .name = {}, .metrics = metrics, .folder = {}});
  };
  const TaskReport report = reported();
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.tables.at(0).rows,
            (std::vector<std::vector<std::string>>{{"S", "4", "0.5000 [0.2500, 0.7500]", "3.0000"},
                                                   {"M", "4", "1.0000", "undefined"}}));
  metrics[2] = {.id = "visdial-sets/M/precision"};
  const TaskReport without = reported();
  EXPECT_EQ(without.exit_code, 1);
  EXPECT_EQ(without.problem, "M: none of its sets has a human set, and no overlap");
}

}  // namespace
}  // namespace snellen::tasks
