// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/data/batch_maker.h"

#include <set>

#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_training.h"

namespace snellen::training {
namespace {

using handmade::CountingSource;
using handmade::LetterTokenizer;

std::multiset<int> pictures_of(const Batch& batch) {
  std::multiset<int> seen;
  for (uint8_t pixel : batch.pixels) seen.insert(pixel);
  return seen;
}

TEST(BatchMaker, GoesThroughAllSamplesOfAnEpochOnce) {
  CountingSource source(7);
  LetterTokenizer tokenizer;
  BatchMaker maker(source, tokenizer, {.seed = 3, .batch_size = 2});
  EXPECT_EQ(maker.batches_per_epoch(), 3U);
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 3; ++i) {
    Batch batch = maker.make(i);
    EXPECT_EQ(batch.num_visuals, 2);
    EXPECT_EQ(batch.texts.size(), 2U);
    for (const models::TokenIds& text : batch.texts)
      EXPECT_TRUE(seen.insert(std::string(text.begin(), text.end())).second);
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(BatchMaker, GivesTheSameBatchForTheSameNumber) {
  CountingSource source(50);
  LetterTokenizer tokenizer;
  BatchMaker maker(source, tokenizer, {.seed = 3, .batch_size = 8});
  Batch first = maker.make(11);
  maker.make(0);
  Batch again = maker.make(11);
  EXPECT_EQ(first.pixels, again.pixels);
  EXPECT_EQ(first.texts, again.texts);
  EXPECT_NE(pictures_of(first), pictures_of(maker.make(10)));
}

TEST(BatchMaker, SharesAStepBetweenRanks) {
  CountingSource source(12);
  LetterTokenizer tokenizer;
  BatchMaker whole(source, tokenizer, {.seed = 1, .batch_size = 4});
  BatchMaker first(source, tokenizer, {.seed = 1, .batch_size = 2, .rank = 0, .num_ranks = 2});
  BatchMaker second(source, tokenizer, {.seed = 1, .batch_size = 2, .rank = 1, .num_ranks = 2});
  std::vector<models::TokenIds> both = first.make(2).texts;
  for (const models::TokenIds& text : second.make(2).texts) both.push_back(text);
  EXPECT_EQ(both, whole.make(2).texts);
}

TEST(BatchMaker, ReplacesWhatCannotBeReadAlwaysByTheSame) {
  CountingSource source(6, /*broken=*/{0, 1, 2});
  LetterTokenizer tokenizer;
  BatchMaker maker(source, tokenizer, {.seed = 5, .batch_size = 6});
  Batch batch = maker.make(0);
  EXPECT_EQ(batch.num_replaced, 3U);
  EXPECT_EQ(batch.reasons.size(), 3U);
  EXPECT_EQ(batch.num_visuals, 6);
  EXPECT_EQ(batch.texts, maker.make(0).texts);
}

TEST(BatchMaker, SaysWhenNothingCanBeRead) {
  CountingSource source(2, /*broken=*/{0, 1});
  LetterTokenizer tokenizer;
  BatchMaker maker(source, tokenizer, {.seed = 5, .batch_size = 2});
  EXPECT_THROW(maker.make(0), Error);
}

TEST(BatchMaker, RefusesASourceSmallerThanABatch) {
  CountingSource source(3);
  LetterTokenizer tokenizer;
  try {
    BatchMaker(source, tokenizer, {.seed = 0, .batch_size = 2, .rank = 0, .num_ranks = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
    EXPECT_EQ(error.message(), "3 samples do not fill one batch of 4");
  }
}

TEST(Joined, MovesPlacesAndHalvesWeights) {
  Sample one = {.pictures = {media::Image::blank(1, 1)},
                .texts = {"a", "b"},
                .matches = {{0, 0}},
                .contrasts = {{{0, 0}, {0, 1}, 1}}};
  Sample both = joined(one, one);
  ASSERT_EQ(both.matches.size(), 2U);
  EXPECT_EQ(both.matches[1], (Match{1, 2}));
  ASSERT_EQ(both.contrasts.size(), 2U);
  EXPECT_EQ(both.contrasts[1].wrong, (Match{1, 3}));
  EXPECT_EQ(both.contrasts[0].weight, 0.5F);
}

}  // namespace
}  // namespace snellen::training
