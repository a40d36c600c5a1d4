// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/layers.h"

#include <gtest/gtest.h>

#include "snellen/base/error.h"

namespace snellen::models::nn {
namespace {

TEST(Linear, GivesARowTheSameBitsInAnyCompany) {
  at::manual_seed(1);
  Linear linear{.weight = at::randn({96, 64}), .bias = at::randn({96})};
  at::Tensor x = at::randn({40, 64});
  at::Tensor together = linear(x);
  for (int64_t i : {0, 3, 17, 39}) {
    EXPECT_TRUE(at::equal(linear(x.narrow(0, i, 1)), together.narrow(0, i, 1))) << i;
  }
}

TEST(Linear, KeepsLeadingSizes) {
  Linear linear{.weight = at::ones({3, 2}), .bias = {}};
  at::Tensor y = linear(at::ones({1, 2, 2}));
  EXPECT_EQ(y.sizes(), at::IntArrayRef({1, 2, 3}));
  EXPECT_EQ(y.sum().item<float>(), 12.0F);
}

TEST(PatchEmbedding, ReadsPatchesRowByRow) {
  // One picture of 2 x 4 with patches of 2: the left patch is 1, the right one 10.
  at::Tensor pixels = at::ones({1, 3, 2, 4});
  pixels.narrow(3, 2, 2).fill_(10);
  PatchEmbedding embedding{.projection = {.weight = at::ones({1, 12}), .bias = {}}, .patch = 2};
  at::Tensor tokens = embedding(pixels);
  ASSERT_EQ(tokens.sizes(), at::IntArrayRef({1, 2, 1}));
  EXPECT_EQ(tokens[0][0][0].item<float>(), 12.0F);
  EXPECT_EQ(tokens[0][1][0].item<float>(), 120.0F);
}

TEST(PatchEmbedding, LeavesOutWhatIsNoWholePatchAsAConvolutionDoes) {
  at::manual_seed(5);
  at::Tensor pixels = at::randn({2, 3, 5, 7}), weight = at::randn({4, 3, 2, 2});
  PatchEmbedding embedding{.projection = {.weight = weight.view({4, 12}), .bias = {}}, .patch = 2};
  at::Tensor want = at::conv2d(pixels, weight, {}, {2, 2}).flatten(2).transpose(1, 2);
  EXPECT_TRUE(at::allclose(embedding(pixels), want, 1e-5, 1e-6));
}

TEST(PatchEmbedding, RefusesAPictureSmallerThanAPatch) {
  PatchEmbedding embedding{.projection = {.weight = at::ones({1, 12}), .bias = {}}, .patch = 2};
  EXPECT_THROW(embedding(at::ones({1, 3, 1, 4})), Error);
}

TEST(TiledProduct, EqualsTheProductAndDependsOnItsTwoRowsAlone) {
  at::manual_seed(2);
  at::Tensor a = at::randn({130, 32}), b = at::randn({70, 32});
  at::Tensor all = tiled_product(a, b);
  EXPECT_TRUE(at::allclose(all, a.matmul(b.t()), 1e-5, 1e-5));
  EXPECT_TRUE(at::equal(tiled_product(a.narrow(0, 100, 3), b.narrow(0, 66, 1)),
                        all.narrow(0, 100, 3).narrow(1, 66, 1)));
}

TEST(Activation, KnowsTheNamesOfConfigs) {
  EXPECT_EQ(activation_of("gelu_new"), Activation::kGeluTanh);
  EXPECT_EQ(activation_of("swish"), Activation::kSilu);
  EXPECT_THROW(activation_of("mish"), Error);
  EXPECT_NEAR(activate(Activation::kQuickGelu, at::ones({1})).item<float>(), 0.8457957, 1e-6);
}

}  // namespace
}  // namespace snellen::models::nn
