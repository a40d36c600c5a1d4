// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/setup.h"

#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/testing/handmade_training.h"
#include "snellen/training/data/file_sources.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

class SetupTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    write_text_file(folder_ / name, text);
    return folder_ / name;
  }
  std::string stamp() const {
    TrainingSetup setup;
    setup.companions = folder_;
    setup.samples = std::make_unique<handmade::CountingSource>(4);
    return stamp_of(TrainSettings(), setup, Schedule(), /*evaluate_every=*/1);
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("snellen_setup_{}", ::getpid());
};

TEST_F(SetupTest, StampChangesWithEveryFileOfTheModel) {
  for (const char* name : {"config.json",
                           "model-00002-of-00002.safetensors",
                           "tokenizer.json",
                           "merges.txt",
                           "preprocessor_config.json"}) {
    write(name, "one");
    std::string before = stamp();
    write(name, "two");
    EXPECT_NE(stamp(), before) << name;
  }
}

TEST_F(SetupTest, StampDoesNotChangeWithWhatATrainingWritesBesideTheModel) {
  write("config.json", "{}");
  std::string before = stamp();
  for (const char* name : {"train.jsonl", "curves.svg", "train.lock"}) write(name, "x");
  fs::create_directories(folder_ / "checkpoints");
  EXPECT_EQ(stamp(), before);
}

TEST_F(SetupTest, SamplesOfAFileAreKnownByItsContent) {
  media::ImageProcessor processor{media::ProcessorConfig{}};
  auto identity = [&](const std::string& name, const std::string& caption) {
    return coco_captions(write(name,
                               R"({"annotations": [{"id": 1, "image_id": 1, "caption": ")" +
                                   caption + R"("}]})"),
                         {},
                         processor)
        ->identity();
  };
  EXPECT_NE(identity("captions.json", "a dog"), identity("captions.json", "a cat"));
  EXPECT_EQ(identity("captions.json", "a dog"), identity("moved.json", "a dog"));
}

TEST_F(SetupTest, FinetuneRefusesAFolderThatHoldsAModel) {
  write("model.safetensors", "");
  FinetuneSettings settings;
  settings.output = folder_.string();
  EXPECT_THROW((void)finetune_setup(settings), Error);
}

TEST(Settings, TrainAndFinetuneHaveTheirOwnDefaults) {
  EXPECT_EQ(TrainSettings().beta2, 0.98);
  EXPECT_EQ(TrainSettings().clip_norm, 1);
  EXPECT_EQ(FinetuneSettings().beta2, 0.999);
  EXPECT_EQ(FinetuneSettings().lr, 1e-5);
}

TEST(Schedule, TakesStepsBeforeEpochs) {
  TrainSettings settings;
  settings.epochs = 3;
  settings.accumulate = 2;
  EXPECT_EQ(schedule_of(settings, 10).num_steps, 15U);
  settings.steps = 7;
  EXPECT_EQ(schedule_of(settings, 10).num_steps, 7U);
}

}  // namespace
}  // namespace snellen::training
