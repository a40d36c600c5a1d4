// SPDX-License-Identifier: Apache-2.0
// The engine with networks that can be worked out by hand: dual, pair and video, with and without
// kept rows.
#include "snellen/inference/plan_work.h"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "snellen/testing/asked_pairs.h"
#include "snellen/testing/small_networks.h"

namespace snellen::inference {
namespace {

namespace fs = std::filesystem;
using snellen::testing::NamedPair;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Kind = snellen::testing::SmallNetwork::Kind;

// The small vocabulary makes two tokens of the one and three of the other.
constexpr const char* kOne = "cat";
constexpr const char* kTwo = "cat dog";

class Engine : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / info->test_suite_name() / info->name();
    fs::remove_all(folder_);
    snellen::testing::write_picture(folder_ / "red.png", 255, 0);
    snellen::testing::write_picture(folder_ / "green.png", 0, 255);
    snellen::testing::write_picture(folder_ / "both.png", 255, 255);
    fs::copy(folder_ / "red.png", folder_ / "red again.png");
  }

  std::unique_ptr<models::Model> open(Kind kind, DriverOptions options = {}) {
    log_.images = log_.texts = 0;
    options.num_threads = 2;
    options.working_folder = folder_;
    return make_driver(snellen::testing::small_network(kind, log_), options);
  }
  std::unique_ptr<models::Model> open_cached(Kind kind, DriverOptions options = {}) {
    options.cache = {.folder = folder_ / "cache", .max_bytes = 1 << 20, .about = "small"};
    return open(kind, options);
  }

  Result<questions::Scores> ask(models::Model& model, const std::vector<NamedPair>& pairs) {
    return snellen::testing::AskedPairs(pairs, {.folder = folder_}).scored_by(model);
  }
  std::vector<double> scores(models::Model& model, const std::vector<NamedPair>& pairs) {
    Result<questions::Scores> scores = ask(model, pairs);
    EXPECT_TRUE(scores) << scores.error().what();
    return scores ? scores->values : std::vector<double>{};
  }

  fs::path folder_;
  snellen::testing::NetworkLog log_;
};

TEST_F(Engine, DualScoresAreProductsOfRows) {
  EXPECT_THAT(
      scores(*open(Kind::kDual), {{"red.png", kOne}, {"red.png", kTwo}, {"both.png", kTwo}}),
      ElementsAre(1, 2, 3));
  EXPECT_EQ(log_.images, 2U);
  EXPECT_EQ(log_.texts, 2U);
}

TEST_F(Engine, PairScoresComeFromPictureAndTextTogether) {
  EXPECT_THAT(
      scores(*open(Kind::kPair), {{"red.png", kTwo}, {"green.png", kTwo}, {"both.png", kOne}}),
      ElementsAre(2, 1, 2));
  EXPECT_EQ(log_.images, 3U);
  EXPECT_EQ(log_.texts, 3U);
}

TEST_F(Engine, AStillPictureIsAClipThatDoesNotMove) {
  EXPECT_THAT(scores(*open(Kind::kVideo), {{"both.png", kTwo}}), ElementsAre(3));
  EXPECT_EQ(log_.images, 4U);
}

TEST_F(Engine, FilesWithTheSameBytesAreOneVisualForADualEncoder) {
  std::unique_ptr<models::Model> model = open(Kind::kDual);
  EXPECT_THAT(scores(*model, {{"red.png", kOne}, {"red again.png", kTwo}}), ElementsAre(1, 2));
  EXPECT_EQ(log_.images, 1U);
  EXPECT_THAT(model->notes(), Contains(HasSubstr("1 visuals had the bytes of another")));
}

TEST_F(Engine, EachPictureIsReadAndHashedOnceWithTheCacheOn) {
  for (int run = 0; run < 2; ++run) {
    std::unique_ptr<models::Model> model = open_cached(Kind::kDual);
    EXPECT_THAT(scores(*model, {{"red.png", kOne}, {"green.png", kOne}, {"both.png", kTwo}}),
                ElementsAre(1, 1, 3));
    EXPECT_THAT(model->notes(), Contains(StartsWith("3 picture files read")));
    EXPECT_EQ(log_.images, run == 0 ? 3U : 0U);
    EXPECT_EQ(log_.texts, run == 0 ? 2U : 0U);
  }
}

TEST_F(Engine, OnlyWhatTheCacheLacksIsComputed) {
  (void)scores(*open_cached(Kind::kDual), {{"red.png", kOne}, {"green.png", kOne}});
  snellen::testing::write_picture(folder_ / "green.png", 255, 255);
  EXPECT_THAT(scores(*open_cached(Kind::kDual), {{"red.png", kOne}, {"green.png", kOne}}),
              ElementsAre(1, 2));
  EXPECT_EQ(log_.images, 1U);
}

TEST_F(Engine, OnAGpuABatchComesWholeFromTheCacheOrIsComputedWhole) {
  const DriverOptions gpu = {.is_on_gpu = true, .gpu_batch = 4};
  const std::vector<NamedPair> cells = {{"red.png", kOne}, {"green.png", kOne}, {"both.png", kOne}};
  const uint64_t trial = 4;  // the batch is tried once when the model is opened
  (void)scores(*open_cached(Kind::kDual, gpu), cells);
  EXPECT_EQ(log_.images, trial + 3);
  (void)scores(*open_cached(Kind::kDual, gpu), cells);
  EXPECT_EQ(log_.images, trial);
  snellen::testing::write_picture(folder_ / "green.png", 10, 20);
  (void)scores(*open_cached(Kind::kDual, gpu), cells);
  EXPECT_EQ(log_.images, trial + 3) << "with the one that changed, the others are computed again";
}

TEST_F(Engine, AResumedRunWhoseGpuBatchNoLongerFitsGoesOnWithLessAndSaysSo) {
  log_.max_batch = 3;
  std::unique_ptr<models::Model> model = open(Kind::kDual, {.is_on_gpu = true, .gpu_batch = 8});
  std::vector<std::string> identity;
  for (const auto& one : model->identity()) identity.push_back(one.name + " " + one.value);
  EXPECT_THAT(identity, Contains("gpu_batch 8")) << "it is the same run";
  (void)scores(*model, {{"red.png", kOne}});
  EXPECT_THAT(model->notes(), Contains(HasSubstr("now 2 fit")));
}

TEST_F(Engine, PairsAreKeptOneByOne) {
  (void)scores(*open_cached(Kind::kPair), {{"red.png", kOne}});
  EXPECT_THAT(scores(*open_cached(Kind::kPair), {{"red.png", kOne}}), ElementsAre(1));
  EXPECT_EQ(log_.images, 0U);
  EXPECT_THAT(scores(*open_cached(Kind::kPair), {{"red.png", kOne}, {"red.png", kTwo}}),
              ElementsAre(1, 2));
  EXPECT_EQ(log_.images, 1U);
}

TEST_F(Engine, AProcessWorksOnceOnWhatItIsAskedAgain) {
  for (Kind kind : {Kind::kDual, Kind::kPair}) {
    std::unique_ptr<models::Model> model = open(kind, {.is_asked_in_parts = true});
    EXPECT_THAT(scores(*model, {{"red.png", kOne}, {"green.png", kOne}}), ElementsAre(1, 1));
    EXPECT_THAT(scores(*model, {{"both.png", kOne}, {"red.png", kOne}}), ElementsAre(2, 1));
    EXPECT_EQ(log_.images, 3U);
    EXPECT_THAT(scores(*model, {{"red again.png", kOne}}), ElementsAre(1));
    EXPECT_EQ(log_.images, 3U) << "its bytes are known under another name";
    EXPECT_THAT(model->notes(), Contains(HasSubstr("for 4 distinct visuals and 1 distinct")));
  }
}

TEST_F(Engine, WhatCannotBeReadFailsAloneAndIsNotTriedAgain) {
  std::unique_ptr<models::Model> model = open(Kind::kDual, {.is_asked_in_parts = true});
  EXPECT_FALSE(ask(*model, {{"missing.png", kOne}}));
  EXPECT_THAT(scores(*model, {{"red.png", kOne}}), ElementsAre(1));
  write_text_file(folder_ / "broken.png", "no picture");
  EXPECT_FALSE(ask(*model, {{"broken.png", kOne}}));
  snellen::testing::write_picture(folder_ / "missing.png", 255, 0);
  EXPECT_FALSE(ask(*model, {{"missing.png", kOne}}));
}

TEST_F(Engine, AScoreThatIsNotFiniteFailsItsItemAndIsNeverKept) {
  for (Kind kind : {Kind::kDual, Kind::kPair}) {
    log_.gives_nan = true;
    Result<questions::Scores> scored = ask(*open_cached(kind), {{"red.png", kOne}});
    ASSERT_FALSE(scored);
    EXPECT_THAT(scored.error().message(), HasSubstr("the model's score of 'cat' is nan"));
    log_.gives_nan = false;
    EXPECT_THAT(scores(*open_cached(kind), {{"red.png", kOne}}), ElementsAre(1));
    EXPECT_EQ(log_.images, 1U);
  }
}

TEST_F(Engine, BatchesThatDoNotFitAreDoneInHalves) {
  log_.max_batch = 1;
  for (Kind kind : {Kind::kDual, Kind::kPair}) {
    std::unique_ptr<models::Model> model = open(kind);
    EXPECT_THAT(
        scores(*model,
               {{"red.png", kOne}, {"red.png", kTwo}, {"green.png", kTwo}, {"both.png", kTwo}}),
        ElementsAre(1, 2, 1, 3));
    EXPECT_THAT(model->notes(), Contains(HasSubstr("did not fit into the device's memory")));
  }
  log_.max_batch = 0;
  Result<questions::Scores> scored = ask(*open(Kind::kPair), {{"red.png", kOne}});
  ASSERT_FALSE(scored);
  EXPECT_THAT(scored.error().message(), HasSubstr("not even alone"));
}

TEST_F(Engine, TellsTheFilesItReadSoThatNobodyReadsThemAgain) {
  std::unique_ptr<models::Model> model = open(Kind::kDual);
  const Result<questions::Scores> scored = ask(*model, {{"red.png", kOne}, {"green.png", kOne}});
  ASSERT_EQ(scored->files.size(), 2U);
  EXPECT_EQ(scored->files[0]->key, content_key(read_text_file(folder_ / "red.png")));
  EXPECT_EQ(scored->files[0]->size, fs::file_size(folder_ / "red.png"));
}

// What items of zero-shot naming ask: all texts of one list, each an ensemble.
TEST_F(Engine, AnEnsembleIsTheMeanDirectionOfItsPrompts) {
  auto list = std::make_shared<questions::Texts::List>();
  list->push_back({.prompt = kOne, .more_prompts = {kTwo}, .is_ensemble = true});
  list->push_back({.prompt = kOne, .is_ensemble = true});
  const questions::Texts texts{std::shared_ptr<const questions::Texts::List>(list)};
  const std::vector<questions::Visual> visuals = {
      {.name = "red", .source = media::VisualPlace{.path = folder_ / "red.png"}}};
  const std::vector<questions::Question> questions = {{.visual = 0, .texts = {0, 1}}};
  const models::Ask ask{
      .item = "item", .visuals = visuals, .texts = &texts, .questions = questions};
  auto score = [&](std::unique_ptr<models::Model> model) {
    model->plan()->add(ask);
    model->begin({});
    return *model->score(ask);
  };
  // Directions of the prompts: (1, 1, 0) and (2, 1, 0), normalised; of the picture (1, 0, 0).
  const double one = 1 / std::sqrt(2.0), two = 2 / std::sqrt(5.0);
  const double other = 1 / std::sqrt(2.0) + 1 / std::sqrt(5.0);
  const double mean = (one + two) / std::hypot(one + two, other);
  for (int run = 0; run < 2; ++run) {
    EXPECT_THAT(score(open_cached(Kind::kDual)).values,
                ElementsAre(DoubleNear(mean, 1e-12), DoubleNear(one, 1e-12)));
    EXPECT_EQ(log_.texts, run == 0 ? 3U : 0U) << "the second time both come from the cache";
  }
  EXPECT_THROW(score(open(Kind::kPair)), Error);
}

TEST_F(Engine, PicturesOfOneColourAreEmbeddedOnce) {
  const std::vector<std::string> names = {"red.png", "green.png", "both.png", "red.png"};
  const questions::Texts texts = {{kOne}};
  std::vector<questions::Visual> visuals;
  std::vector<questions::Question> questions;
  for (uint32_t i = 0; i < names.size(); ++i) {
    media::VisualPlace place{.path = folder_ / names[i]};
    if (i < 3) place.corruption = media::PlacedCorruption{.name = "gray", .image_id = names[i]};
    visuals.push_back({.name = std::to_string(i), .source = place});
    questions.push_back({.visual = i, .texts = {0}});
  }
  const models::Ask ask{
      .item = "item", .visuals = visuals, .texts = &texts, .questions = questions};
  for (int run = 0; run < 2; ++run) {
    std::unique_ptr<models::Model> model = open_cached(Kind::kDual);
    model->plan()->add(ask);
    model->begin({});
    const double gray = 2 * 128 / 255.0;
    EXPECT_THAT(
        model->score(ask)->values,
        ElementsAre(DoubleNear(gray, 1e-6), DoubleNear(gray, 1e-6), DoubleNear(gray, 1e-6), 1));
    EXPECT_EQ(log_.images, run == 0 ? 2U : 0U) << "each has a row of its own in the cache";
  }
}

TEST_F(Engine, APictureThatIsDrawnIsDrawnOnceAndKnownByItsKey) {
  std::atomic<int> num_drawn = 0;
  auto draw = [&]() -> Result<media::Image> {
    ++num_drawn;
    media::Image image = media::Image::blank(8, 8);
    for (size_t i = 0; i < image.pixels.size(); i += 3) image.pixels[i] = 255;
    return image;
  };
  const questions::Texts texts = {{kOne}, {kTwo}};
  std::vector<questions::Visual> visuals(2);
  for (size_t i = 0; i < 2; ++i)
    visuals[i] = {.name = std::to_string(i), .source = questions::Drawn{"scene 7", draw}};
  const std::vector<questions::Question> questions = {{.visual = 0, .texts = {0}},
                                                      {.visual = 1, .texts = {1}}};
  const models::Ask ask{
      .item = "item", .visuals = visuals, .texts = &texts, .questions = questions};
  for (Kind kind : {Kind::kDual, Kind::kPair}) {
    num_drawn = 0;
    std::unique_ptr<models::Model> model = open(kind);
    model->plan()->add(ask);
    model->begin({});
    EXPECT_THAT(model->score(ask)->values, ElementsAre(1, 2));
    EXPECT_EQ(num_drawn, 1);
  }
}

TEST(PixelBatch, PicturesOfOneSizeShareABatchAndPartsOfItKeepTheirPixels) {
  std::vector<PixelBatch> batches;
  auto picture = [](int64_t side, uint8_t value) {
    return VisualPixels{.height = side,
                        .width = side,
                        .bytes = std::vector<uint8_t>(static_cast<size_t>(3 * side * side), value)};
  };
  for (uint8_t id = 0; id < 4; ++id) append(batches, id, picture(id == 2 ? 1 : 2, id), true);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_THAT(batches[0].ids, ElementsAre(0, 1, 3));
  const PixelBatch part = batches[0].part(1, 3);
  EXPECT_THAT(part.ids, ElementsAre(1, 3));
  EXPECT_EQ(part.bytes.front(), 1);
  EXPECT_EQ(part.bytes.back(), 3);
  EXPECT_EQ(part.bytes.size(), 24U);
  append(batches, 5, picture(2, 5), /*is_row_exact=*/false);
  EXPECT_EQ(batches.size(), 3U) << "where rows are not exact each goes alone";
}

}  // namespace
}  // namespace snellen::inference
