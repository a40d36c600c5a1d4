// SPDX-License-Identifier: Apache-2.0
// Whole runs on several ranks, which are threads here.
#include "snellen/run/ranks/ranks.h"
#include "snellen/run/catalogue.h"

#include <atomic>
#include <map>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/dist/memory_link.h"
#include "snellen/run/engine/engine.h"
#include "snellen/store/run_folder.h"
#include "snellen/testing/handmade_groups.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

class OnRanks : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    // One bad record, which every road must fail alike.
    write_text_file(folder_ / "data_compositional_switch.json",
                    "[" + handmade_groups(kItems, 50, 1000) + ", {}]");
  }

  config::Options options(const std::string& output, const std::string& model = "fake") {
    config::Options options(run_options(catalogue_));
    std::map<std::string, std::string> settings = {{"model", model},
                                                   {"tasks", "probe-c"},
                                                   {"data", folder_.string()},
                                                   {"num-workers", "2"},
                                                   {"output", (folder_ / output).string()}};
    for (const auto& [name, value] : settings) options.set(name, value, "test");
    return options;
  }

  RunSummary run_on(int size,
                    const std::string& output,
                    const std::string& instruction_set_of_others = "here",
                    const std::string& model = "fake") {
    config::Options all = options(output, model);
    std::function<bool()> is_stopped = [this] { return is_stopped_.load(); };
    dist::InMemoryRanks world(size);
    std::vector<std::jthread> others;
    for (int rank = 1; rank < size; ++rank) {
      others.emplace_back([&, rank] {
        auto link = world.join(rank);
        Ranks ranks{*link, instruction_set_of_others};
        help_with_run({.catalogue = catalogue_,
                       .options = all,
                       .command = "test",
                       .on_progress = {},
                       .is_stopped = is_stopped,
                       .ranks = &ranks});
      });
    }
    auto link = world.join(0);
    Ranks ranks{*link, "here"};
    auto on_progress = [this](const Progress& progress) {
      is_stopped_ = progress.done >= stop_at_;
    };
    return run_tasks({.catalogue = catalogue_,
                      .options = all,
                      .command = "test",
                      .on_progress = on_progress,
                      .is_stopped = is_stopped,
                      .ranks = size > 1 ? &ranks : nullptr});
  }

  static std::string digest(const RunSummary& summary) {
    return store::read_stamp(store::RunPaths(summary.folder))["samples_sha256"];
  }

  static constexpr uint64_t kItems = 2000;
  Catalogue catalogue_ = Catalogue::built_in();
  fs::path folder_;
  std::atomic<bool> is_stopped_ = false;
  uint64_t stop_at_ = kItems * 2;
};

TEST_F(OnRanks, ComesToTheSameSamplesForAnyNumberOfRanks) {
  RunSummary alone = run_on(1, "one");
  EXPECT_EQ(alone.verdict, Verdict::kFailures);
  EXPECT_EQ(alone.tasks[0].counts.scored, kItems);
  std::string want = read_text_file(alone.folder / "results.json");
  for (int size : {2, 4, 7}) {
    RunSummary summary = run_on(size, fmt::format("ranks{}", size));
    EXPECT_EQ(digest(summary), digest(alone)) << size;
    EXPECT_EQ(read_text_file(summary.folder / "results.json"), want) << size;
  }
}

TEST_F(OnRanks, AStoppedRunGoesOnWithAnyNumberOfRanks) {
  RunSummary alone = run_on(1, "one");
  stop_at_ = 300;
  RunSummary stopped = run_on(3, "stopped", "here", "fake:wait=100");
  EXPECT_EQ(stopped.verdict, Verdict::kInterrupted);
  stop_at_ = kItems * 2;
  is_stopped_ = false;
  RunSummary resumed = run_on(1, "stopped");
  EXPECT_GE(resumed.resumed, 300U);
  EXPECT_EQ(digest(resumed), digest(alone));
}

TEST_F(OnRanks, RefusesAnotherInstructionSetNamingBoth) {
  try {
    run_on(2, "out", "elsewhere");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMismatch);
    EXPECT_NE(std::string(error.what()).find("\"elsewhere\" there and \"here\" here"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace snellen::run
