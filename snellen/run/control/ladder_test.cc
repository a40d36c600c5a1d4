// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/control/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/media/placed_picture.h"

namespace snellen::run {
namespace {

// Items that show one picture each, two items per picture, or a clip.
class SmallTask : public tasks::Task {
 public:
  explicit SmallTask(uint64_t num_items, bool shows_clips = false, uint64_t per_picture = 2)
      : num_items_(num_items), shows_clips_(shows_clips), per_picture_(per_picture) {}
  std::vector<tasks::Part> parts() const override { return {{"", num_items_}}; }
  std::vector<tasks::Column> columns() const override { return {{"acc", true}}; }
  std::vector<std::filesystem::path> inputs() const override { return {}; }
  Result<tasks::Item> item(uint64_t position) const override {
    const std::string name = std::to_string(position / per_picture_);
    media::VisualPlace place{.path = "/pictures/" + name};
    if (shows_clips_) place.clip = media::ClipWindow{};
    tasks::Item item{.id = std::to_string(position), .category = ""};
    item.visuals = {{.name = name, .source = place}};
    return item;
  }
  Result<tasks::Outcome> judge(const tasks::Item&, const questions::Scores&) const override {
    return tasks::Outcome{.values = {1.0}};
  }

 private:
  uint64_t num_items_;
  bool shows_clips_;
  uint64_t per_picture_;
};

class SmallModel : public models::Model {
 public:
  bool has_answers = false;
  std::optional<int64_t> frames;
  bool does_look = true;

  std::vector<Identity> identity() const override { return {}; }
  bool looks() const override { return does_look; }
  bool has_fixed_answers() const override { return has_answers; }
  std::optional<int64_t> fixed_frames() const override { return frames; }
  Result<questions::Scores> score(const models::Ask&) const override { return questions::Scores{}; }
};

std::vector<OpenTask> open(std::shared_ptr<const tasks::Task> task) {
  OpenTask one{.name = "small", .task = task, .parts = task->parts()};
  return {one};
}

media::VisualPlace place_of(const OpenTask& task, uint64_t position) {
  return task.task->item(position)->visuals.front().place().value();
}

TEST(Ladder, HasOneTaskPerRungWithEveryPictureUnderItsOwnName) {
  const auto tasks = open(std::make_shared<SmallTask>(6));
  RunSettings settings;
  settings.control = {"gray", "gauss:1e2", "mismatch"};
  settings.seed = 7;
  const Ladder ladder = ladder_of(tasks, settings, SmallModel());
  ASSERT_EQ(ladder.tasks.size(), 4U);
  ASSERT_EQ(ladder.rungs.size(), 3U);
  EXPECT_EQ(ladder.rungs[1].rung.folder(), "gauss-100");
  EXPECT_EQ(ladder.places[2].folder, 2U);
  const media::VisualPlace noised = place_of(ladder.tasks[2], 5);
  EXPECT_EQ(noised.path, "/pictures/2");
  EXPECT_EQ(noised.corruption->name, "gauss:100");
  EXPECT_EQ(noised.corruption->image_id, "2");
  EXPECT_EQ(noised.corruption->seed, 7U);
  EXPECT_FALSE(place_of(ladder.tasks[0], 5).corruption);
  EXPECT_TRUE(ladder.tasks[3].comes_last);
}

TEST(Ladder, ShowsItemsOfOnePictureTheSameOtherPicture) {
  const auto tasks = open(std::make_shared<SmallTask>(8));
  RunSettings settings;
  settings.control = {"mismatch"};
  const Ladder ladder = ladder_of(tasks, settings, SmallModel());
  for (uint64_t position = 0; position < 8; position += 2) {
    const auto first = place_of(ladder.tasks[1], position).path;
    EXPECT_EQ(first, place_of(ladder.tasks[1], position + 1).path);
    EXPECT_NE(first, place_of(tasks[0], position).path);
    const questions::Visual shown = ladder.tasks[1].task->item(position)->visuals[0];
    EXPECT_EQ("/pictures/" + shown.name, first);
    EXPECT_EQ(shown.shard_key(), std::to_string(position / 2));
  }
}

TEST(Ladder, TellsWhyARungIsNotApplicable) {
  RunSettings settings;
  settings.control = {"none", "reverse", "mismatch", "gray"};
  const auto one_picture = open(std::make_shared<SmallTask>(2));
  const Ladder ladder = ladder_of(one_picture, settings, SmallModel());
  ASSERT_EQ(ladder.left_out.size(), 3U);
  EXPECT_EQ(ladder.left_out[0].reason, "this model cannot be asked without a picture");
  EXPECT_EQ(ladder.left_out[1].reason, "its items show pictures, which have no frames");
  EXPECT_EQ(ladder.left_out[2].reason, "one item alone has no other picture to be shown");
  EXPECT_EQ(ladder.rungs.size(), 1U);
}

TEST(Ladder, KnowsModelsWithAFixedNumberOfFrames) {
  RunSettings settings;
  settings.control = {"oneframe", "freeze"};
  const auto clips = open(std::make_shared<SmallTask>(4, /*shows_clips=*/true));
  SmallModel model;
  EXPECT_EQ(ladder_of(clips, settings, model).rungs.size(), 2U);
  model.frames = 8;
  const Ladder ladder = ladder_of(clips, settings, model);
  ASSERT_EQ(ladder.left_out.size(), 1U);
  EXPECT_EQ(ladder.left_out[0].reason, "this model takes clips of 8 frames, no others");
}

TEST(Ladder, TakesEveryRungForAModelOfTextAlone) {
  RunSettings settings;
  settings.control = {"none", "gray", "reverse"};
  SmallModel model;
  model.does_look = false;
  const auto tasks = open(std::make_shared<SmallTask>(4));
  const Ladder ladder = ladder_of(tasks, settings, model);
  EXPECT_EQ(ladder.rungs.size(), 3U);
  EXPECT_TRUE(media::shows_no_picture(place_of(ladder.tasks[1], 0)));
}

TEST(Ladder, RefusesAnswersThatWereMadeBefore) {
  RunSettings settings;
  settings.control = {"gray"};
  SmallModel model;
  model.has_answers = true;
  const auto tasks = open(std::make_shared<SmallTask>(4));
  EXPECT_THROW(ladder_of(tasks, settings, model), Error);
  settings.control = {};
  EXPECT_EQ(ladder_of(tasks, settings, model).tasks.size(), 1U);
}

TEST(Rungs, AreNamedOnceAndLeaveOutClean) {
  EXPECT_EQ(rungs_of({"clean", "gray"}).size(), 1U);
  EXPECT_THROW(rungs_of({"gray", "gray"}), Error);
  EXPECT_THROW(rungs_of({"grey"}), Error);
}

}  // namespace
}  // namespace snellen::run
