// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/text_batch.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::models::nn {
namespace {

TEST(TextBatch, GroupsTextsByTheirLengthRoundedUp) {
  std::vector<TokenIds> texts = {{1, 2}, TokenIds(20, 3), {4}};
  std::vector<TextBatch> batches = batches_of(texts, {.pad_id = 9, .vocabulary = 10});
  ASSERT_EQ(batches.size(), 2u);
  EXPECT_EQ(batches[0].places, (std::vector<size_t>{0, 2}));
  EXPECT_EQ(batches[0].length(), 16);
  EXPECT_EQ(batches[0].ids[0][2].item<int64_t>(), 9);
  EXPECT_EQ(batches[1].length(), 32);
  EXPECT_EQ(batches[0].lengths, (std::vector<int64_t>{2, 1}));
}

TEST(TextBatch, HidesPaddingOnly) {
  std::vector<TokenIds> texts = {{1, 2}, TokenIds(16, 3)};
  std::vector<TextBatch> batches = batches_of(texts, {.vocabulary = 10});
  at::Tensor hidden = batches[0].hidden_keys;
  EXPECT_EQ(hidden[0][0][0][1].item<float>(), 0.0F);
  EXPECT_TRUE(std::isinf(hidden[0][0][0][2].item<float>()));
  EXPECT_FALSE(std::isinf(hidden[1][0][0][15].item<float>()));
}

TEST(TextBatch, RefusesWhatAnotherTokenizerMade) {
  EXPECT_THROW((void)batches_of(std::vector<TokenIds>{{10}}, {.vocabulary = 10}), Error);
  EXPECT_THROW((void)batches_of(std::vector<TokenIds>{{-1}}, {.vocabulary = 10}), Error);
  EXPECT_THROW((void)batches_of(std::vector<TokenIds>{{}}, {.vocabulary = 10}), Error);
  EXPECT_THROW(
      (void)batches_of(std::vector<TokenIds>{{1, 1, 1}}, {.vocabulary = 10, .max_tokens = 2}),
      Error);
}

TEST(RowsByText, PutsRowsWhereTheirTextsStand) {
  std::vector<TokenIds> texts = {TokenIds(20, 1), {2}};
  RowsByText rows(2);
  for (const TextBatch& batch : batches_of(texts, {.vocabulary = 3}))
    rows.put(batch, batch.ids.narrow(1, 0, 1).to(at::kFloat));
  Matrix matrix = rows.matrix();
  EXPECT_EQ(matrix.values, (std::vector<float>{1, 2}));
}

}  // namespace
}  // namespace snellen::models::nn
