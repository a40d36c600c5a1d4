// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/dry_run.h"
#include "snellen/run/catalogue.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "snellen/base/files.h"

namespace snellen::run {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class DryRunTest : public testing::Test {
 protected:
  DryRun plan(const std::string& items) {
    fs::path folder = fs::path(testing::TempDir()) / "dry_run";
    fs::remove_all(folder);
    write_text_file(folder / "items.jsonl", items);
    write_text_file(folder / "1.jpg", "no picture, but there");
    config::Options options(run_options(catalogue_));
    options.set("model", "fake", "test");
    options.set("tasks", "file:" + (folder / "items.jsonl").string(), "test");
    options.set("output", (folder / "out").string(), "test");
    DryRun dry = plan_run(catalogue_, options);
    EXPECT_FALSE(fs::exists(folder / "out"));
    return dry;
  }

  Catalogue catalogue_ = Catalogue::built_in();
};

TEST_F(DryRunTest, CountsWhatIsNeededAndWhatIsSaved) {
  DryRun dry = plan(R"({"metric": "choice"}
{"visuals": ["1.jpg"], "texts": ["x", "y"], "right": 0}
{"visuals": ["1.jpg"], "texts": ["y", "z"], "right": 0}
{"visuals": ["2.jpg"], "texts": ["x", "z"], "right": 0}
{"visuals": ["2.jpg"], "texts": ["x"], "right": 0}
)");
  ASSERT_EQ(dry.tasks.size(), 1U);
  EXPECT_EQ(dry.tasks[0].num_items, 4U);
  EXPECT_EQ(dry.tasks[0].num_bad, 1U);
  EXPECT_THAT(dry.tasks[0].first_bad, HasSubstr("items.jsonl:5"));
  EXPECT_EQ(dry.tasks[0].num_scores, 6U);
  EXPECT_EQ(dry.num_visuals, 2U);
  EXPECT_EQ(dry.num_texts, 3U);
  ASSERT_EQ(dry.work.size(), 3U);
  EXPECT_EQ(dry.work[0].forwards(), 5U);  // two pictures and three texts
  EXPECT_EQ(dry.work[0].saved(), 7U);     // of twelve
  EXPECT_EQ(dry.work[1].pairs, 5U);       // 1.jpg with x y z, 2.jpg with x z
  EXPECT_EQ(dry.work[2].saved(), 3U);
}

TEST_F(DryRunTest, ListsMissingFiles) {
  std::string items = R"({"metric": "choice"})"
                      "\n";
  for (int i = 1; i < 20; ++i)
    items += fmt::format(R"({{"visuals": ["{}.jpg"], "texts": ["x", "y"], "right": 0}})", i) + "\n";
  DryRun dry = plan(items);
  EXPECT_EQ(dry.num_missing, 18U);
  ASSERT_EQ(dry.missing.size(), 10U);
  EXPECT_THAT(dry.missing[0], EndsWith("2.jpg"));
}

}  // namespace
}  // namespace snellen::run
