// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/loop/trainer.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_training.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

class TrainerTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(output_); }
  void TearDown() override { fs::remove_all(output_); }

  TrainingOptions options() const {
    return {.output = output_,
            .schedule = {.peak = 1, .num_steps = 10, .warmup_steps = 0},
            .checkpoint_every = 3,
            .num_threads = 2,
            .stamp = "stamp"};
  }
  // Trains until `stop_after` steps were made.
  TrainingSummary train_until(uint64_t stop_after, uint64_t nan_at = 0) {
    handmade::SummingLearner learner(nan_at);
    uint64_t done = 0;
    TrainingRequest request = {.batches = maker_,
                               .held_out = {},
                               .on_progress = [&](const TrainingProgress& p) { done = p.done; },
                               .is_stopped = [&] { return done >= stop_after; }};
    std::optional<Checkpointed> last = Checkpoints(output_, "stamp", output_).last();
    return train(learner, options(), request, output_, last);
  }
  std::string weights() const { return read_text_file(output_ / "model.safetensors"); }

  fs::path output_ = fs::temp_directory_path() / fmt::format("snellen_trainer_{}", ::getpid());
  handmade::CountingSource source_{9};
  handmade::LetterTokenizer tokenizer_;
  BatchMaker maker_{source_, tokenizer_, {.seed = 2, .batch_size = 2}};
};

TEST_F(TrainerTest, WritesTheModelAndALineAStepAndRemovesCheckpoints) {
  TrainingSummary summary = train_until(100);
  EXPECT_TRUE(summary.is_complete);
  EXPECT_EQ(summary.num_steps, 10U);
  std::string log = read_text_file(output_ / "train.jsonl");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 10);
  EXPECT_FALSE(fs::exists(output_ / "checkpoints"));
}

TEST_F(TrainerTest, ContinuesToTheSameWeights) {
  train_until(100);
  std::string unbroken = weights();
  fs::remove_all(output_);
  fs::create_directories(output_);
  TrainingSummary stopped = train_until(4);
  EXPECT_FALSE(stopped.is_complete);
  EXPECT_EQ(stopped.num_steps, 4U);
  EXPECT_FALSE(fs::exists(output_ / "model.safetensors"));
  TrainingSummary resumed = train_until(100);
  EXPECT_EQ(resumed.resumed, 4U);
  EXPECT_TRUE(resumed.is_complete);
  EXPECT_EQ(weights(), unbroken);
  std::string log = read_text_file(output_ / "train.jsonl");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 10);
}

TEST_F(TrainerTest, StopsAtALossThatIsNoNumberAndKeepsTheLastGoodOne) {
  try {
    train_until(100, /*nan_at=*/8);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kMismatch);
    EXPECT_NE(error.message().find("in step 8"), std::string::npos);
    EXPECT_EQ(error.where(), "batch 8 (epoch 2)");
    EXPECT_NE(error.hint().find("step-00000006"), std::string::npos);
  }
  EXPECT_EQ(Checkpoints(output_, "stamp", output_).last()->num_steps, 6U);
}

TEST_F(TrainerTest, PassesByACheckpointThatIsNotWhole) {
  train_until(4);
  fs::create_directories(half_written_path(output_ / "checkpoints" / "step-00000009"));
  fs::create_directories(output_ / "checkpoints" / "step-00000008");
  EXPECT_EQ(Checkpoints(output_, "stamp", output_).last()->num_steps, 4U);
}

TEST_F(TrainerTest, RefusesARecordWithAValueOfAnotherKind) {
  train_until(4);
  write_text_file(output_ / "checkpoints" / "step-00000004" / "training.json",
                  R"({"step": 4, "replaced": "none", "stamp": "stamp", "worse": 0})");
  try {
    (void)Checkpoints(output_, "stamp", output_).last();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_NE(error.where().find("training.json"), std::string::npos);
  }
}

TEST_F(TrainerTest, NamesTheSettingsThatDiffer) {
  train_until(4);
  write_text_file(output_ / "checkpoints" / "step-00000004" / "training.json",
                  R"({"step": 4, "replaced": 0, "stamp": "{\"seed\":1,\"lr\":2}", "worse": 0})");
  try {
    (void)Checkpoints(output_, R"({"seed":1,"lr":3,"samples":"x"})", output_).last();
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("with other settings (lr, samples)"), std::string::npos);
  }
}

TEST_F(TrainerTest, RefusesCheckpointsOfOtherSettings) {
  train_until(4);
  EXPECT_THROW((void)Checkpoints(output_, "another", output_).last(), Error);
}

// Held-out losses are the sum of all pixels so far: they rise, and training is stopped.
class WatchedTrainerTest : public TrainerTest {
 protected:
  TrainingSummary train_watched(uint64_t stop_after, uint64_t patience) {
    handmade::SummingLearner learner;
    uint64_t done = 0;
    TrainingOptions watched = options();
    watched.evaluate_every = 1;
    watched.patience = patience;
    TrainingRequest request = {.batches = maker_,
                               .held_out = {Batch()},
                               .on_progress = [&](const TrainingProgress& p) { done = p.done; },
                               .is_stopped = [&] { return done >= stop_after; },
                               .on_evaluation = [&] { ++num_evaluations_; }};
    return train(learner, watched, request, output_, Checkpoints(output_, "stamp", output_).last());
  }
  uint64_t num_evaluations_ = 0;
};

TEST_F(WatchedTrainerTest, EvaluatesBeforeOnTheWayAndAfter) {
  TrainingSummary summary = train_watched(100, 0);
  EXPECT_EQ(summary.num_steps, 10U);
  EXPECT_EQ(num_evaluations_, 11U);
  EXPECT_GT(summary.evaluation->loss, 0);
  std::string log = read_text_file(output_ / "train.jsonl");
  EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), 21);
  EXPECT_TRUE(log.starts_with("{\"step\":0,\"evaluation\""));
}

TEST_F(WatchedTrainerTest, StopsEarlyAtTheSameStepWhetherInterruptedOrNot) {
  TrainingSummary unbroken = train_watched(100, 5);
  EXPECT_TRUE(unbroken.has_stopped_early);
  EXPECT_TRUE(unbroken.is_complete);
  EXPECT_EQ(unbroken.num_steps, 6U);  // the first is the best
  std::string weight = weights(), log = read_text_file(output_ / "train.jsonl");
  fs::remove_all(output_);
  fs::create_directories(output_);
  EXPECT_FALSE(train_watched(2, 5).is_complete);
  std::optional<Checkpointed> last = Checkpoints(output_, "stamp", output_).last();
  EXPECT_EQ(last->watch.num_worse, 1U);
  EXPECT_TRUE(last->watch.best);
  EXPECT_FALSE(train_watched(4, 5).is_complete);
  TrainingSummary resumed = train_watched(100, 5);
  EXPECT_TRUE(resumed.has_stopped_early);
  EXPECT_EQ(resumed.num_steps, 6U);
  EXPECT_EQ(weights(), weight);
}

TEST_F(TrainerTest, KeepsCheckpointsWhereAsked) {
  handmade::SummingLearner learner;
  TrainingOptions keeping = options();
  keeping.keeps_checkpoints = true;
  TrainingRequest request = {.batches = maker_,
                             .held_out = {},
                             .on_progress = [](const TrainingProgress&) {},
                             .is_stopped = [] { return false; }};
  train(learner, keeping, request, output_, std::nullopt);
  EXPECT_EQ(Checkpoints(output_, "stamp", output_).last()->num_steps, 9U);
  EXPECT_FALSE(fs::exists(output_ / "model.safetensors.ready"));
}

}  // namespace
}  // namespace snellen::training
