// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/convolution.h"

#include <gtest/gtest.h>

namespace snellen::models::nn {
namespace {

TEST(Convolution, PadsEachSideByItsOwnAmount) {
  // Ones of 2 x 2 over a 1 x 1 picture of 5, one column left and one row above: the picture is the
  // lower right corner of the only window.
  Convolution convolution{.weight = at::tensor({1.F, 2.F, 3.F, 4.F}).view({1, 1, 2, 2}),
                          .bias = at::tensor({0.5F}),
                          .padding = {1, 0, 1, 0}};
  at::Tensor y = convolution(at::full({1, 1, 1, 1}, 5.0));
  ASSERT_EQ(y.numel(), 1);
  EXPECT_EQ(y.item<float>(), 4 * 5 + 0.5F);
}

TEST(Convolution, PadsAllSidesAlikeAsATensorPaddedBeforeIt) {
  at::manual_seed(1);
  at::Tensor x = at::randn({2, 3, 6, 5}), weight = at::randn({4, 3, 3, 3});
  Convolution padded{
      .weight = weight, .bias = at::randn({4}), .stride = 2, .padding = {1, 1, 1, 1}};
  Convolution bare = padded;
  bare.padding = {0, 0, 0, 0};
  EXPECT_TRUE(at::allclose(padded(x), bare(at::constant_pad_nd(x, {1, 1, 1, 1})), 1e-5, 1e-6));
}

}  // namespace
}  // namespace snellen::models::nn
