// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/attention.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace snellen::models::nn {
namespace {

SelfAttention some_attention(int64_t width, int64_t num_heads) {
  return {.qkv = {.weight = at::randn({3 * width, width}) / 8, .bias = at::randn({3 * width})},
          .out = {.weight = at::randn({width, width}) / 8, .bias = at::randn({width})},
          .num_heads = num_heads};
}

// softmax(q k^T / sqrt d) v, written out.
at::Tensor plain(const at::Tensor& q,
                 const at::Tensor& k,
                 const at::Tensor& v,
                 const at::Tensor& mask) {
  at::Tensor scores = q.matmul(k.transpose(2, 3)) / std::sqrt(static_cast<double>(q.size(3)));
  if (mask.defined()) scores = scores + mask;
  return scores.softmax(-1).matmul(v);
}

TEST(Attend, EqualsTheFormulaForAnyLength) {
  at::manual_seed(1);
  for (int64_t length : {1, 5, 16, 50}) {
    at::Tensor q = at::randn({2, 3, length, 8}), k = at::randn({2, 3, length + 2, 8}),
               v = at::randn({2, 3, length + 2, 8});
    EXPECT_TRUE(
        at::allclose(attend(q, k, v, {}, 1 / std::sqrt(8.0)), plain(q, k, v, {}), 1e-4, 1e-5))
        << length;
  }
}

TEST(Attend, NeverLooksAtHiddenKeys) {
  at::manual_seed(2);
  at::Tensor q = at::randn({1, 2, 7, 8}), k = at::randn({1, 2, 7, 8}), v = at::randn({1, 2, 7, 8});
  at::Tensor hidden = at::zeros({1, 1, 1, 7});
  hidden.narrow(3, 5, 2).fill_(-std::numeric_limits<float>::infinity());
  at::Tensor clean = attend(q, k, v, {.hidden_keys = hidden}, 1);
  k.narrow(2, 5, 2).fill_(1e4);
  v.narrow(2, 5, 2).fill_(-77);
  EXPECT_TRUE(at::equal(attend(q, k, v, {.hidden_keys = hidden}, 1), clean));
}

TEST(SelfAttention, GivesARowTheSameBitsInAnyBatch) {
  at::manual_seed(3);
  SelfAttention attention = some_attention(64, 4);
  for (int64_t length : {16, 50}) {
    at::Tensor x = at::randn({32, length, 64});
    at::Tensor together = attention(x);
    for (int64_t i : {0, 13, 31})
      EXPECT_TRUE(at::equal(attention(x.narrow(0, i, 1)), together.narrow(0, i, 1)))
          << length << " " << i;
  }
}

TEST(SelfAttention, WhenCausalNeverLooksAhead) {
  at::manual_seed(4);
  SelfAttention attention = some_attention(16, 2);
  at::Tensor x = at::randn({1, 9, 16});
  AttentionMask causal = {.hidden_keys = {}, .is_causal = true};
  at::Tensor before = attention(x, causal);
  x.narrow(1, 6, 3).fill_(5);
  EXPECT_TRUE(at::equal(attention(x, causal).narrow(1, 0, 6), before.narrow(1, 0, 6)));
}

TEST(CrossAttention, UsesOneContextForManyRows) {
  at::manual_seed(5);
  CrossAttention cross{.q = {.weight = at::randn({8, 8}), .bias = {}},
                       .kv = {.weight = at::randn({16, 12}), .bias = {}},
                       .out = {.weight = at::eye(8), .bias = {}},
                       .num_heads = 2};
  at::Tensor context = at::randn({1, 5, 12}), x = at::randn({3, 4, 8});
  at::Tensor got = cross(x, cross.remember(context));
  std::vector<at::Tensor> kv = cross.kv(context).chunk(2, -1);
  at::Tensor want = join_heads(
      plain(split_heads(cross.q(x), 2), split_heads(kv[0], 2), split_heads(kv[1], 2), {}));
  EXPECT_TRUE(at::allclose(got, want, 1e-4, 1e-5));
}

}  // namespace
}  // namespace snellen::models::nn
