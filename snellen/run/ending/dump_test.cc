// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/dump.h"
#include "snellen/run/catalogue.h"

#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "snellen/base/files.h"
#include "snellen/run/engine/engine.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Dump : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    write_text_file(
        folder_ / "data_compositional_switch.json",
        R"([{"img1_id": "1", "img2_id": 2, "img1_prompt": "a", "img2_prompt": "b", "img1_composition": "red"},
            {"img1_id": "1", "img2_id": 3, "img1_prompt": "c", "img2_prompt": "d", "img1_composition": "wet"}])");
  }

  RunSummary run(const std::map<std::string, std::string>& more) {
    config::Options options(run_options(catalogue_));
    std::map<std::string, std::string> settings = {{"model", "fake"},
                                                   {"name", "m"},
                                                   {"tasks", "probe-c"},
                                                   {"data", folder_.string()},
                                                   {"output", (folder_ / "out").string()}};
    for (const auto& [name, value] : more) settings[name] = value;
    for (const auto& [name, value] : settings) options.set(name, value, "test");
    return run_tasks({catalogue_, options, "test", {}, {}});
  }

  Catalogue catalogue_ = Catalogue::built_in();
  fs::path folder_;
};

TEST_F(Dump, ScoresThatAreReadBackComeToTheSameResults) {
  RunSummary made = run({{"dump-scores", (folder_ / "s.jsonl").string()}});
  std::string results = read_text_file(made.folder / "results.json");
  RunSummary read = run({{"model", "file:" + (folder_ / "s.jsonl").string()},
                         {"output", (folder_ / "again").string()}});
  EXPECT_EQ(read_text_file(read.folder / "results.json"), results);
}

TEST_F(Dump, GoesIntoAFolderWhenTold) {
  run({{"dump-scores", (folder_ / "dumps").string() + "/"}});
  EXPECT_TRUE(fs::exists(folder_ / "dumps" / "probe-c.jsonl"));
}

TEST_F(Dump, ExportedItemsComeToTheNumbersOfTheTask) {
  RunSummary made = run({{"export-items", (folder_ / "items.jsonl").string()}});
  std::string items = read_text_file(folder_ / "items.jsonl");
  EXPECT_THAT(items, HasSubstr(R"("name": "probe-c-items", "metric": "winoground")"));
  EXPECT_THAT(items, HasSubstr(R"("part": "composition", "group": ["1", "2"], "category": )"));
  RunSummary again = run({{"tasks", "file:" + (folder_ / "items.jsonl").string()}});
  std::string name = "probe-c-items/";
  ASSERT_EQ(again.results.metrics.size(), made.results.metrics.size());
  for (size_t i = 0; i < made.results.metrics.size(); ++i) {
    const metrics::Measurement& mine = again.results.metrics[i];
    const metrics::Measurement& theirs = made.results.metrics[i];
    EXPECT_EQ(mine.id, name + theirs.id.substr(std::string("probe-c/").size()));
    EXPECT_EQ(mine.value, theirs.value);
    EXPECT_EQ(mine.n, theirs.n);
    EXPECT_EQ(mine.low, theirs.low);
    EXPECT_EQ(mine.high, theirs.high);
    EXPECT_EQ(mine.interval, theirs.interval);
    EXPECT_EQ(mine.chance, theirs.chance);
    EXPECT_EQ(mine.higher_is_better, theirs.higher_is_better);
  }
}

TEST_F(Dump, RefusesWhatCannotBeDumpedBeforeAnyWork) {
  write_text_file(folder_ / "relation_eval_subject.json", "{}");
  EXPECT_THROW(run({{"tasks", "probe-r"}, {"export-items", "x.jsonl"}}), Error);
}

TEST_F(Dump, TiesAreSaidInTheResults) {
  RunSummary made = run({{"ties", "half"}});
  EXPECT_THAT(read_text_file(made.folder / "results.json"), HasSubstr(R"("tie_rule": "half")"));
  EXPECT_THROW(run({{"ties", "half"}, {"compat", "true"}}), Error);
}

}  // namespace
}  // namespace snellen::run
