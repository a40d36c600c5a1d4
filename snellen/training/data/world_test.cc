// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/files.h"
#include "snellen/eyechart/world/nouns.h"
#include "snellen/eyechart/world/prompts.h"
#include "snellen/text/tokenizers/load_tokenizer.h"
#include "snellen/training/data/scene_sources.h"
#include "snellen/training/data/world_prompts.h"
#include "snellen/training/fresh/fresh_model.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

class FreshModel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    write_fresh_model(GetParam(), small_config(GetParam()), folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_ =
      fs::temp_directory_path() / fmt::format("snellen_fresh_{}_{}", GetParam(), ::getpid());
};

TEST_P(FreshModel, HasATokenizerThatKnowsTheWorldsWords) {
  auto tokenizer = text::load_tokenizer({.folder = folder_, .family = {}, .clip_vocabulary = {}});
  size_t around = tokenizer->frame().prefix.size() + tokenizer->frame().suffix.size();
  // One token a word, and the full stop.
  EXPECT_EQ(tokenizer->encode("A photo of a red umbrella.").ids.size(), 7 + around);
  for (text::TokenId id : tokenizer->encode("A photo of a xylophone 42 \xc3\xa9.").ids)
    EXPECT_LT(static_cast<size_t>(id), tokenizer->end_id());
}

INSTANTIATE_TEST_SUITE_P(Each, FreshModel, testing::Values("clip", "blip", "xclip", "gpt2"));

media::ImageProcessor small_processor() {
  media::ProcessorConfig config;
  config.resize = media::ResizeRule::kExact;
  config.height = config.width = 16;
  return media::ImageProcessor(config);
}

TEST(SceneContrasts, HavePicturesThatDifferAndPromptsThatDiffer) {
  media::ImageProcessor processor = small_processor();
  auto source = scene_contrasts({.seed = 5, .num_scenes = 8, .cache_bytes = 1 << 20}, processor);
  for (uint64_t i = 0; i < source->size(); ++i) {
    Sample sample = source->sample(0, i).value();
    ASSERT_EQ(sample.pictures.size(), 4U);
    EXPECT_NE(sample.pictures[0], sample.pictures[1]);
    EXPECT_NE(sample.pictures[2], sample.pictures[3]);
    EXPECT_EQ(sample.texts.size(), 6U);
    EXPECT_EQ(std::set<std::string>(sample.texts.begin(), sample.texts.end()).size(), 6U);
    EXPECT_EQ(sample.contrasts.size(), 10U);
    float total = 0;
    for (const Contrast& contrast : sample.contrasts) total += contrast.weight;
    EXPECT_FLOAT_EQ(total, 1);
    // From the cache the second time.
    EXPECT_EQ(source->sample(1, i).value().pictures, sample.pictures);
  }
}

TEST(SceneCaptions, ChangeTheirWordsFromEpochToEpochButNotTheirPictures) {
  media::ImageProcessor processor = small_processor();
  auto source = scene_captions({.seed = 5, .num_scenes = 4, .cache_bytes = 0}, processor);
  int num_different = 0;
  for (uint64_t i = 0; i < 4; ++i) {
    Sample first = source->sample(0, i).value(), second = source->sample(1, i).value();
    EXPECT_EQ(first.pictures, second.pictures);
    num_different += first.texts != second.texts;
  }
  EXPECT_GT(num_different, 0);
}

TEST(SceneCaptions, TellRelationsAsOftenAsAsked) {
  media::ImageProcessor processor = small_processor();
  for (uint64_t percent : {0U, 100U}) {
    auto source = scene_captions(
        {.seed = 5, .num_scenes = 12, .cache_bytes = 1 << 20, .relation_percent = percent},
        processor);
    uint64_t num_told = 0;
    for (uint64_t i = 0; i < source->size(); ++i) {
      std::string text = source->sample(0, i).value().texts.at(0);
      for (size_t p = 0; p < eyechart::kNumPredicates; ++p) {
        const eyechart::PredicateWords& words =
            eyechart::words_of(static_cast<eyechart::Predicate>(p));
        bool is_told = text.find(" " + std::string(words.name) + " ") != std::string::npos ||
                       text.find(" " + std::string(words.clause) + " ") != std::string::npos ||
                       (!words.passive.empty() && text.find(words.passive) != std::string::npos);
        if (is_told) {
          ++num_told;
          break;
        }
      }
    }
    // "on a beach", "in a kitchen" may look like a predicate.
    EXPECT_GE(num_told, percent == 0 ? 0U : 12U);
    EXPECT_LT(num_told, percent == 0 ? 6U : 13U);
  }
}

TEST(BothSources, HoldAllSamplesOfBoth) {
  media::ImageProcessor processor = small_processor();
  SceneOptions options = {.seed = 5, .num_scenes = 3, .cache_bytes = 1 << 20};
  auto both = both_of(scene_contrasts(options, processor), scene_captions(options, processor));
  EXPECT_EQ(both->size(), 6U);
  EXPECT_EQ(both->sample(0, 2).value().contrasts.size(), 10U);
  EXPECT_EQ(both->sample(0, 3).value().texts,
            scene_captions(options, processor)->sample(0, 0).value().texts);
}

TEST(ClipCaptions, GiveAllFramesAndACaption) {
  media::ImageProcessor processor = small_processor();
  auto source = clip_captions({.seed = 5, .num_scenes = 6, .cache_bytes = 1 << 20}, processor, 4);
  for (uint64_t i = 0; i < 6; ++i) {
    Sample sample = source->sample(0, i).value();
    EXPECT_EQ(sample.pictures.size(), 4U);
    ASSERT_EQ(sample.texts.size(), 1U);
    EXPECT_FALSE(sample.texts[0].empty());
  }
}

// Of the pairs of scenes that a relation is learnt from, every text is right as often as wrong.
TEST(SceneContrasts, TeachDirectionByPicturesAndNotByWords) {
  media::ImageProcessor processor = small_processor();
  auto source = scene_contrasts({.seed = 5, .num_scenes = 30, .cache_bytes = 0}, processor);
  for (uint64_t i = 0; i < source->size(); ++i) {
    Sample sample = source->sample(0, i).value();
    std::map<uint32_t, int> balance;
    for (const Contrast& contrast : sample.contrasts) {
      if (contrast.right.visual < 2 || contrast.right.visual != contrast.wrong.visual) continue;
      if (contrast.wrong.text > 3) continue;  // another predicate, another subject
      ++balance[contrast.right.text];
      --balance[contrast.wrong.text];
    }
    EXPECT_EQ(balance, (std::map<uint32_t, int>{{2, 0}, {3, 0}}));
  }
}

}  // namespace
}  // namespace snellen::training
