// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/engine.h"
#include "snellen/run/catalogue.h"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/run/ending/verify.h"
#include "snellen/testing/handmade_groups.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

class Engine : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    write_text_file(folder_ / "data_compositional_switch.json",
                    "[" + handmade_groups(10, 10, 100) + "]");
  }

  RunSummary run(const std::map<std::string, std::string>& more = {}) {
    config::Options options(run_options(catalogue_));
    std::map<std::string, std::string> settings = {{"model", "fake"},
                                                   {"tasks", "probe-c"},
                                                   {"data", folder_.string()},
                                                   {"output", (folder_ / "out").string()}};
    for (const auto& [name, value] : more) settings[name] = value;
    for (const auto& [name, value] : settings) options.set(name, value, "test");
    return run_tasks({catalogue_, options, "test", {}, [this] { return is_stopped_; }});
  }

  Catalogue catalogue_ = Catalogue::built_in();
  fs::path folder_;
  bool is_stopped_ = false;
};

TEST_F(Engine, ScoresMeasuresAndStamps) {
  RunSummary summary = run();
  EXPECT_EQ(summary.verdict, Verdict::kComplete);
  EXPECT_EQ(summary.tasks[0].counts.scored, 10U);
  EXPECT_TRUE(fs::exists(summary.folder / "results.json"));
  Verification found = verify_run(summary.folder, catalogue_);
  EXPECT_TRUE(found.differences.empty()) << found.differences.front();
  EXPECT_GT(found.num_checks, 8);
}

TEST_F(Engine, StoppedAndResumedScoresNothingTwice) {
  is_stopped_ = true;
  EXPECT_EQ(run().verdict, Verdict::kInterrupted);
  is_stopped_ = false;
  EXPECT_EQ(run().resumed, 0U);
  RunSummary again = run();
  EXPECT_EQ(again.resumed, 10U);
  EXPECT_EQ(again.verdict, Verdict::kComplete);
}

TEST_F(Engine, RefusesAFolderOfAnotherRunUnlessToldToOverwrite) {
  run();
  EXPECT_THROW(run({{"seed", "5"}}), Error);
  EXPECT_EQ(run({{"seed", "5"}, {"overwrite", "true"}}).resumed, 0U);
}

TEST_F(Engine, FailsFastWhenAsked) {
  write_text_file(folder_ / "data_compositional_switch.json", R"([{"img1_id": "1"}, {}])");
  EXPECT_THROW(run({{"fail-fast", "true"}}), Error);
}

TEST_F(Engine, CallsARunWithNothingScoredAFailure) {
  write_text_file(folder_ / "data_compositional_switch.json", "[]");
  try {
    run();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNothingScored);
  }
}

}  // namespace
}  // namespace snellen::run
