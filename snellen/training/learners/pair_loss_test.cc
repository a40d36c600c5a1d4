// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/pair_loss.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::training {
namespace {

Batch small_batch() {
  Batch batch;
  batch.num_visuals = 2;
  batch.texts = {{1, 2}, {1, 3}, {1, 4}};
  batch.matches = {{0, 0}, {1, 1}};
  batch.contrasts = {{{0, 0}, {0, 2}, 0.5F}, {{1, 1}, {0, 1}, 0.5F}};
  return batch;
}

TEST(PairLoss, AddsHingesToTheContrastiveLoss) {
  Pairs pairs = pairs_of(small_batch(), at::kCPU);
  at::Tensor cosines = at::tensor({0.5F, 0.1F, 0.4F, 0.0F, 0.6F, 0.0F}, at::kFloat).view({2, 3});
  PairLoss loss = pair_loss(cosines, at::tensor(1.0F), pairs, {});
  // Rows 0.5 0.1 and 0 0.6; columns 0.5 0 and 0.6 0.1.
  auto away = [](double by) { return std::log(1 + std::exp(-by)); };
  double contrastive = (away(0.4) + away(0.6) + away(0.5) + away(0.5)) / 4;
  EXPECT_NEAR(loss.contrastive.item<double>(), contrastive, 1e-6);
  EXPECT_NEAR(loss.contrasts.item<double>(), 0.5 * (0.2 - 0.5 + 0.4), 1e-6);
  EXPECT_NEAR(loss.total.item<double>(), contrastive + 0.05, 1e-6);
}

TEST(PairLoss, TellsTextsThatSayTheSame) {
  Batch batch = small_batch();
  batch.texts[1] = batch.texts[0];
  Pairs pairs = pairs_of(batch, at::kCPU);
  EXPECT_TRUE(pairs.same.all().item<bool>());
}

TEST(Evaluated, CountsWhatComesOutRight) {
  Pairs pairs = pairs_of(small_batch(), at::kCPU);
  at::Tensor scores = at::tensor({0.5F, 0.1F, 0.4F, 0.7F, 0.6F, 0.0F}, at::kFloat).view({2, 3});
  Evaluation result = evaluated(scores, pairs);
  EXPECT_EQ(result.matches, (std::vector{Verdict::kRight, Verdict::kWrong}));
  EXPECT_EQ(result.contrasts, (std::vector{Verdict::kRight, Verdict::kRight}));
}

TEST(Verdicts, TellATieFromALoss) {
  EXPECT_EQ(verdicts(at::tensor({1.0F, 2.0F, 3.0F}), at::tensor({2.0F, 2.0F, 2.0F})),
            (std::vector{Verdict::kWrong, Verdict::kTied, Verdict::kRight}));
}

}  // namespace
}  // namespace snellen::training
