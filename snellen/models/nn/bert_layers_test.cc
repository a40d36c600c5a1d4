// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/bert_layers.h"

#include <gtest/gtest.h>

namespace snellen::models::nn {
namespace {

// Every word is 0 and position p is (p, -p), so a normed row is known by its position's sign and,
// without a norm's eps, by nothing else: the rows are compared before the norm.
BertEmbeddings positions_alone() {
  BertEmbeddings embeddings;
  embeddings.words = at::zeros({9, 2});
  at::Tensor places = at::arange(12, at::kFloat);
  embeddings.positions = at::stack({places, -places}, 1);
  // With this eps the norm is a division by 1000, as good as none.
  embeddings.norm = {.weight = at::full({2}, 1000.0), .bias = at::zeros({2}), .eps = 1e6};
  return embeddings;
}

std::vector<int64_t> positions_seen(const BertEmbeddings& embeddings,
                                    const std::vector<int64_t>& ids) {
  at::Tensor rows = embeddings(at::tensor(ids, at::kLong).unsqueeze(0))[0];
  std::vector<int64_t> seen;
  for (int64_t i = 0; i < rows.size(0); ++i)
    seen.push_back(std::llround(rows[i][0].item<double>()));
  return seen;
}

TEST(BertEmbeddings, CountPositionsFromZero) {
  EXPECT_EQ(positions_seen(positions_alone(), {5, 1, 6}), (std::vector<int64_t>{0, 1, 2}));
}

TEST(BertEmbeddings, OfRobertaLeaveOutAPadThatTheTextSpells) {
  BertEmbeddings embeddings = positions_alone();
  embeddings.pad_id = 1;
  EXPECT_EQ(positions_seen(embeddings, {0, 5, 1, 6, 2}), (std::vector<int64_t>{2, 3, 1, 4, 5}));
  EXPECT_EQ(embeddings.max_tokens(), 10);
}

}  // namespace
}  // namespace snellen::models::nn
