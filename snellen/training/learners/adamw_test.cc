// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/adamw.h"

#include <cmath>

#include <gtest/gtest.h>

namespace snellen::training {
namespace {

Parameters::Named parameter(const std::string& name, std::vector<float> values, int64_t columns) {
  at::Tensor value = at::tensor(values, at::kFloat);
  if (columns > 0) value = value.view({-1, columns});
  return {name, value.requires_grad_()};
}

void set_gradient(const Parameters::Named& named, std::vector<float> values) {
  at::Tensor value = named.value;
  value.mutable_grad() = at::tensor(values, at::kFloat).view(value.sizes());
}

TEST(AdamW, TakesTheFirstStepOfTheFormula) {
  Parameters::Named matrix = parameter("w", {1, 2}, 2), vector = parameter("b", {1, 2}, 0);
  LearnerOptions options;
  options.weight_decay = 0.1;
  AdamW optimizer({matrix, vector}, options);
  set_gradient(matrix, {0.5F, -0.25F});
  set_gradient(vector, {0.5F, -0.25F});
  EXPECT_NEAR(optimizer.gradient_norm(), std::sqrt(2 * (0.25 + 0.0625)), 1e-6);
  optimizer.step(0.01, optimizer.gradient_norm());
  // The first step is lr * sign(gradient), after the decay of matrices by lr * decay.
  EXPECT_NEAR(matrix.value[0][0].item<double>(), 1 * (1 - 0.001) - 0.01, 1e-6);
  EXPECT_NEAR(matrix.value[0][1].item<double>(), 2 * (1 - 0.001) + 0.01, 1e-6);
  EXPECT_NEAR(vector.value[0].item<double>(), 1 - 0.01, 1e-6);
  EXPECT_FALSE(matrix.value.grad().defined());
  EXPECT_EQ(optimizer.num_steps(), 1U);
}

TEST(AdamW, ClipsLongGradients) {
  Parameters::Named named = parameter("w", {0, 0}, 2);
  LearnerOptions options;
  options.max_gradient_norm = 0.1;
  AdamW optimizer({named}, options);
  set_gradient(named, {3, 4});
  optimizer.step(0.01, optimizer.gradient_norm());
  at::Tensor mean = optimizer.state().at("mean.w");
  EXPECT_NEAR(mean[0][0].item<double>(), 0.1 * 3 * 0.1 / 5, 1e-6);
}

TEST(AdamW, AveragesWeights) {
  Parameters::Named named = parameter("w", {1, 1}, 2);
  LearnerOptions options;
  options.ema_decay = 0.999;
  options.weight_decay = 0;
  AdamW optimizer({named}, options);
  set_gradient(named, {1, 1});
  optimizer.step(0.1, 1);
  // Early averages take nine tenths of what is new.
  double average = optimizer.averages().at("w")[0][0].item<double>();
  EXPECT_NEAR(average, 0.1 * 1 + 0.9 * 0.9, 1e-5);
  {
    AdamW::AveragesShown shown(optimizer);
    EXPECT_EQ(named.value[0][0].item<double>(), average);
  }
  EXPECT_NEAR(named.value[0][0].item<double>(), 0.9, 1e-6);
  // A step after that moves the weights themselves.
  set_gradient(named, {1, 1});
  optimizer.step(0.1, 1);
  EXPECT_NEAR(named.value[0][0].item<double>(), 0.8, 1e-6);
}

}  // namespace
}  // namespace snellen::training
