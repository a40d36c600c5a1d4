// SPDX-License-Identifier: Apache-2.0
#include "snellen/tasks/vilma/asked.h"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/tasks/shared_settings.h"
#include "snellen/tasks/vilma/asked_items.h"
#include "snellen/tasks/vilma/flags.h"

namespace snellen::tasks::vilma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
namespace fs = std::filesystem;

// Item 2 has failed its votes.
constexpr const char* kRelations = R"({
  "1": {"dataset": "star", "video_file": "a", "start_time": 0, "end_time": 2, "time_unit": "sec",
        "caption": "c", "foils": ["f"], "mturk": {"caption": 3},
        "proficiency": {"caption": "p", "foils": ["q"], "human": {"caption": 1}}},
  "2": {"dataset": "star", "video_file": "b", "caption": "c", "foils": ["f"], "mturk": {"caption": 0},
        "proficiency": {"caption": "p", "foils": ["q"], "human": {"caption": 1}}}})";

std::vector<std::string> prompts(const Item& item) {
  std::vector<std::string> all;
  for (const questions::Text& text : item.texts) all.push_back(text.prompt);
  return all;
}

class AskedVilmaTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(testing::TempDir()) / (std::string("asked_vilma_") + test->name());
    fs::remove_all(folder_);
    write_text_file(folder_ / "vilma/relations.json", kRelations);
    write_text_file(folder_ / "vilma/star/a.mp4", "no video");
  }

  std::unique_ptr<Task> open(const std::map<std::string, std::string>& settings = {},
                             std::vector<std::string> parts = {}) {
    config::Options options(std::vector<config::Block>{
        settings_block(), config::Block(SharedSettings{}, shared_options())});
    options.set("data", folder_.string(), "test");
    for (const auto& [name, value] : settings) options.set(name, value, "test");
    return open_asked({.options = options, .model = "model", .parts = std::move(parts)});
  }

  fs::path folder_;
};

TEST_F(AskedVilmaTest, AsksMainAndProficiencyTextsOfTheSameClipApart) {
  auto task = open();
  EXPECT_EQ(task->parts().front().num_items, 2U);
  Item item = task->item(0).value();
  EXPECT_EQ(item.id, "relations/1");
  EXPECT_THAT(prompts(item), ElementsAre("c", "f", "p", "q"));
  ASSERT_THAT(item.visuals, SizeIs(1));
  const media::VisualPlace clip = item.visuals[0].place().value();
  EXPECT_EQ(clip.path.filename(), "a.mp4");
  EXPECT_EQ(clip.clip->end, 2.0);
  ASSERT_THAT(item.questions, SizeIs(2));
  EXPECT_THAT(item.questions[0].texts, ElementsAre(0, 1));
  EXPECT_THAT(item.questions[1].texts, ElementsAre(2, 3));
  EXPECT_EQ(item.questions[1].name, "proficiency");
}

TEST_F(AskedVilmaTest, CountsAPairRightWhenBothTextsWin) {
  auto task = open();
  Item item = task->item(0).value();
  const Outcome right = task->judge(item, {.values = {2, 1, 2, 1}, .frames = {1, 3}}).value();
  EXPECT_THAT(right.values, ElementsAre(1, 1, 1));
  EXPECT_THAT(right.named.to_json(), HasSubstr(R"("frames": [1, 3])"));
  EXPECT_THAT(right.named.to_json(), HasSubstr(R"("mode": "similarity")"));
  EXPECT_THAT(task->judge(item, {.values = {2, 1, 1, 2}}).value().values, ElementsAre(0, 1, 0));
}

TEST_F(AskedVilmaTest, TurnsLogLikelihoodsIntoPerplexities) {
  auto task = open();
  Item item = task->item(0).value();
  const Outcome outcome = task->judge(item,
                                      {.values = {0, -std::log(2.0), -1, 0},
                                       .kind = questions::ScoreKind::kLogLikelihood})
                              .value();
  EXPECT_THAT(outcome.values, ElementsAre(0, 1, 0));
  EXPECT_THAT(outcome.named.to_json(), HasSubstr(R"("mode": "perplexity")"));
  EXPECT_THAT(outcome.named.to_json(), HasSubstr(R"("main": [1.0, 2.0])"));
}

TEST_F(AskedVilmaTest, ScoresInvalidItemsWithoutMeasuringThem) {
  auto task = open();
  const Outcome outcome = task->judge(task->item(1).value(), {.values = {2, 1, 2, 1}}).value();
  EXPECT_TRUE(std::isnan(outcome.values[2]));
  EXPECT_FALSE(outcome.is_correct);
  EXPECT_THAT(outcome.named.to_json(), HasSubstr(R"("evaluated": false)"));
  EXPECT_EQ(open({{"only-valid", "true"}})->parts().front().num_items, 1U);
}

TEST_F(AskedVilmaTest, AsksTheProficiencyTextsAloneWhenTold) {
  auto task = open({{"proficiency", "true"}});
  EXPECT_THAT(prompts(task->item(0).value()), ElementsAre("p", "q"));
  EXPECT_EQ(task->columns().front().name, "P");
  EXPECT_THAT(task->judge(task->item(0).value(), {.values = {2, 1}}).value().values,
              ElementsAre(1));
}

TEST_F(AskedVilmaTest, FindsPublishedFilesAndPrefersSecondsToFrames) {
  write_text_file(folder_ / "vilma/counting-easy-spelled-pts.json", "{}");
  write_text_file(folder_ / "vilma/counting-easy-spelled-sec.json", "{}");
  write_text_file(folder_ / "vilma/quva-templates.json", "{}");
  std::vector<std::string> names;
  for (const fs::path& file : find_annotations(folder_, {})) names.push_back(file.filename());
  EXPECT_THAT(names, ElementsAre("counting-easy-spelled-sec.json", "relations.json"));
  EXPECT_THAT(find_annotations(folder_ / "vilma", {"relations"}), SizeIs(1));
  EXPECT_THAT(find_annotations(folder_ / "vilma", {"counting"}), SizeIs(1));
  EXPECT_THAT(find_annotations(folder_, {"situation"}), IsEmpty());
}

TEST_F(AskedVilmaTest, SaysWhatIsMissing) {
  EXPECT_THROW(open({}, {"situation"}), Error);
  EXPECT_THROW(open({{"num-frames", "0"}}), Error);
  EXPECT_THROW(open({{"sampler", "often"}}), Error);
  auto task = open();
  Result<media::VisualPlace> place = task->item(1)->visuals[0].place();
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace snellen::tasks::vilma
