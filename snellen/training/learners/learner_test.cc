// SPDX-License-Identifier: Apache-2.0
// Learners on the tiny models of tests/golden/models.
#include <unistd.h>

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/base/rng.h"
#include "snellen/models/checkpoint/float_elements.h"
#include "snellen/models/checkpoint/weight_files.h"
#include "snellen/training/learners/make_learner.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

const fs::path kModels = fs::path(SNELLEN_SOURCE_DIR) / "tests/golden/models";

Batch drawn_batch(int64_t visuals, int64_t side, int32_t vocabulary, uint64_t seed) {
  Rng rng(seed);
  Batch batch;
  batch.num_visuals = visuals;
  batch.side = side;
  batch.pixels.resize(static_cast<size_t>(visuals * side * side * 3));
  for (uint8_t& pixel : batch.pixels) pixel = static_cast<uint8_t>(rng.below(256));
  for (int64_t i = 0; i < visuals; ++i) {
    batch.texts.push_back({vocabulary - 2});
    for (uint64_t j = 0; j < 2 + rng.below(5); ++j)
      batch.texts.back().push_back(static_cast<int32_t>(rng.below(200)));
    batch.texts.back().push_back(vocabulary - 1);
    auto place = static_cast<uint32_t>(i);
    batch.matches.push_back({place, place});
  }
  batch.contrasts = {{{0, 0}, {0, 1}, 1}};
  return batch;
}

class LearnerTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<Learner> clip(const LearnerOptions& options,
                                const fs::path& from = kModels / "clip") {
    return make_learner(from, options, *group_);
  }
  // The tiny CLIP has 35 pixels a side and 831 tokens.
  static Batch batch(uint64_t seed) { return drawn_batch(5, 35, 831, seed); }
  std::string written(const Learner& learner) {
    learner.write_weights(folder_ / "model.safetensors", models::ElementType::kF32, false);
    return read_text_file(folder_ / "model.safetensors");
  }

  fs::path folder_ = fs::temp_directory_path() / fmt::format("snellen_learner_{}", ::getpid());
  std::unique_ptr<dist::Group> group_ = dist::group_of_one();
};

TEST_F(LearnerTest, WritesTheNamesAndNumbersItRead) {
  for (const char* name : {"clip", "blip_itm", "xclip"}) {
    std::unique_ptr<Learner> learner = make_learner(kModels / name, {}, *group_);
    written(*learner);
    models::WeightFiles before(kModels / name), after(folder_);
    ASSERT_EQ(before.names(), after.names()) << name;
    for (const std::string& weight : before.names())
      EXPECT_EQ(models::floats_of(*before.find(weight)), models::floats_of(*after.find(weight)));
  }
}

TEST_F(LearnerTest, LowersTheLossOfABatchItSeesAgain) {
  std::unique_ptr<Learner> learner = clip({});
  Batch same = batch(1);
  double first = learner->step({&same, 1}, 1e-3).loss;
  for (int i = 0; i < 20; ++i) learner->step({&same, 1}, 1e-3);
  EXPECT_LT(learner->step({&same, 1}, 1e-3).loss, first * 0.8);
  EXPECT_EQ(learner->num_steps(), 22U);
}

TEST_F(LearnerTest, LearnsTheSameFromChunksAsFromTheWhole) {
  LearnerOptions cached;
  cached.chunk = 2;
  std::unique_ptr<Learner> whole = clip({}), chunks = clip(cached);
  Batch one = batch(1);
  StepReport a = whole->step({&one, 1}, 1e-3), b = chunks->step({&one, 1}, 1e-3);
  EXPECT_NEAR(a.loss, b.loss, 1e-5);
  EXPECT_NEAR(a.gradient_norm, b.gradient_norm, 1e-4 * a.gradient_norm);
}

TEST_F(LearnerTest, TakesTheMeanOfAccumulatedBatches) {
  std::unique_ptr<Learner> one = clip({}), two = clip({});
  std::vector<Batch> both = {batch(1), batch(2)};
  double first = one->evaluate(both[0]).loss, second = one->evaluate(both[1]).loss;
  EXPECT_NEAR(two->step(both, 1e-3).loss, (first + second) / 2, 1e-4);
}

TEST_F(LearnerTest, ContinuesFromItsFilesBitForBit) {
  LearnerOptions options;
  options.ema_decay = 0.9;
  std::unique_ptr<Learner> unbroken = clip(options);
  for (uint64_t i = 0; i < 3; ++i) {
    Batch next = batch(i);
    unbroken->step({&next, 1}, 1e-3);
  }
  fs::path checkpoint = folder_ / "checkpoint";
  fs::create_directories(checkpoint);
  fs::copy(kModels / "clip" / "config.json", checkpoint / "config.json");
  unbroken->write_weights(checkpoint / "model.safetensors", models::ElementType::kF32, false);
  unbroken->write_state(checkpoint / "state");
  std::unique_ptr<Learner> resumed = clip(options, checkpoint);
  resumed->read_state(checkpoint / "state", 3);
  for (uint64_t i = 3; i < 6; ++i) {
    Batch next = batch(i);
    unbroken->step({&next, 1}, 1e-3);
    resumed->step({&next, 1}, 1e-3);
  }
  EXPECT_EQ(written(*unbroken), written(*resumed));
  unbroken->write_state(folder_ / "a");
  resumed->write_state(folder_ / "b");
  EXPECT_EQ(read_text_file(folder_ / "a"), read_text_file(folder_ / "b"));
  EXPECT_THROW(clip({})->read_state(checkpoint / "state", 3), Error);  // keeps no averages
}

TEST_F(LearnerTest, ChangesNothingWhenALossIsNoNumber) {
  std::unique_ptr<Learner> learner = clip({});
  std::string before = written(*learner);
  Batch bad = batch(1);
  bad.contrasts[0].weight = NAN;
  EXPECT_FALSE(learner->step({&bad, 1}, 1e-3).is_finite);
  EXPECT_EQ(learner->num_steps(), 0U);
  EXPECT_EQ(written(*learner), before);
}

TEST_F(LearnerTest, DrawsNewWeightsFromTheSeed) {
  fs::copy(kModels / "clip" / "config.json", folder_ / "config.json");
  auto drawn = [&](uint64_t seed) {
    LearnerOptions options;
    options.seed = seed;
    std::unique_ptr<Learner> learner = clip(options, folder_);
    std::string bytes = written(*learner);
    fs::remove(folder_ / "model.safetensors");
    return bytes;
  };
  EXPECT_EQ(drawn(1), drawn(1));
  EXPECT_NE(drawn(1), drawn(2));
}

}  // namespace
}  // namespace snellen::training
