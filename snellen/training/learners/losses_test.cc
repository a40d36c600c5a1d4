// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/losses.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::training {
namespace {

at::Tensor rows(std::vector<double> values, int64_t columns) {
  return at::tensor(values, at::kDouble).view({-1, columns});
}

TEST(ContrastiveLoss, IsTheMeanOfRowAndColumnCrossEntropy) {
  ContrastiveLoss loss = contrastive_loss(2.0 * rows({1, 0, 0.6, 0.8}, 2));
  double row = (std::log(1 + std::exp(-2.0)) + std::log(1 + std::exp(2 * (0.6 - 0.8)))) / 2;
  double column = (std::log(1 + std::exp(2 * (0.6 - 1.0))) + std::log(1 + std::exp(-1.6))) / 2;
  EXPECT_NEAR(loss.image_to_text.item<double>(), row, 1e-12);
  EXPECT_NEAR(loss.text_to_image.item<double>(), column, 1e-12);
  EXPECT_NEAR(loss.loss.item<double>(), (row + column) / 2, 1e-12);
}

TEST(ContrastiveLoss, LeavesOutNegativesThatSayTheSame) {
  at::Tensor logits = rows({3, 3, 1, 2, 2, 0, 1, 0, 5}, 3);
  at::Tensor same = same_texts(at::tensor({7, 7, 9}, at::kLong));
  ContrastiveLoss loss = contrastive_loss(logits, same);
  double row = (std::log(1 + std::exp(1.0 - 3)) + std::log(1 + std::exp(0.0 - 2)) +
                std::log(1 + std::exp(1.0 - 5) + std::exp(0.0 - 5))) /
               3;
  EXPECT_NEAR(loss.image_to_text.item<double>(), row, 1e-12);
}

TEST(ContrastiveLoss, HasFiniteGradientsWhereNegativesAreLeftOut) {
  at::Tensor logits = rows({3, 3, 2, 2}, 2).requires_grad_();
  contrastive_loss(logits, same_texts(at::tensor({1, 1}, at::kLong))).loss.backward();
  EXPECT_TRUE(at::equal(logits.grad(), at::zeros_like(logits)));
}

TEST(Hinge, IsZeroOnceTheMarginIsKept) {
  at::Tensor loss = hinge(rows({0.9, 0.5}, 1), rows({0.6, 0.4}, 1), 0.2);
  EXPECT_NEAR(loss[0].item<double>(), 0, 1e-12);
  EXPECT_NEAR(loss[1].item<double>(), 0.1, 1e-12);
}

TEST(LanguageLoss, CountsTheTokensOfATextAndNoPadding) {
  // Two tokens of a vocabulary of 2; the second text has one token: nothing to predict.
  at::Tensor logits = at::zeros({2, 3, 2}, at::kDouble);
  logits[0][0][1] = 1;
  at::Tensor ids = at::tensor({0, 1, 0, 1, 0, 0}, at::kLong).view({2, 3});
  at::Tensor loss = language_loss(logits, ids, at::tensor({2, 1}, at::kLong));
  EXPECT_NEAR(loss.item<double>(), std::log(1 + std::exp(-1.0)), 1e-12);
}

}  // namespace
}  // namespace snellen::training
