// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/engine.h"
#include "snellen/run/catalogue.h"

#include <atomic>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/run/ending/verify.h"
#include "snellen/testing/handmade_groups.h"
#include "snellen/testing/small_networks.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;

// A model of equal scores whose pictures are looked at.
class LookingEntry : public models::ModelEntry {
 public:
  const models::ModelFacts& facts() const override { return facts_; }
  std::unique_ptr<models::Model> open(const models::ModelRequest&) const override {
    return std::make_unique<Looking>();
  }

 private:
  class Looking : public models::Model {
   public:
    std::vector<Identity> identity() const override { return {}; }
    bool looks() const override { return true; }
    Result<questions::Scores> score(const models::Ask& ask) const override {
      return questions::Scores{.values = std::vector<double>(ask.num_scores(), 1.0)};
    }
  };
  models::ModelFacts facts_ = {.name = "looking", .summary = "", .usage = ""};
};

class Engine : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ::testing::UnitTest::GetInstance()->current_test_info()->name();
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
    const auto stop_in_time = [this](const Progress& progress) {
      if (stops_in_ == progress.unit) is_stopped_ = true;
    };
    return run_tasks(
        {catalogue_, options, "test", stop_in_time, [this] { return is_stopped_.load(); }});
  }

  Catalogue catalogue_ = Catalogue::built_in();
  fs::path folder_;
  std::atomic<bool> is_stopped_ = false;
  std::string stops_in_;  // what is counted when it is stopped
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

TEST_F(Engine, StoppedWhilePicturesAreKeptItKeepsThemWhenItGoesOn) {
  catalogue_.models.push_back(std::make_unique<LookingEntry>());
  for (uint8_t id = 0; id < 110; id = static_cast<uint8_t>(id == 9 ? 100 : id + 1))
    snellen::testing::write_picture(
        folder_ / "images" / fmt::format("COCO_val2014_{:012}.jpg", id), 255, id);
  const std::map<std::string, std::string> looking = {{"model", "looking"},
                                                      {"images", (folder_ / "images").string()}};
  const auto num_kept = [](const RunSummary& summary) {
    return std::distance(fs::directory_iterator(summary.folder / "thumbs"), {});
  };
  stops_in_ = "pictures kept";
  EXPECT_EQ(run(looking).verdict, Verdict::kInterrupted);
  stops_in_ = "";
  is_stopped_ = false;
  const RunSummary resumed = run(looking);
  EXPECT_EQ(resumed.verdict, Verdict::kComplete);
  EXPECT_EQ(resumed.resumed, 10U);
  EXPECT_EQ(num_kept(resumed), 21) << "a small one of each, and their count";
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
