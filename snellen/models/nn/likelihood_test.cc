// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/likelihood.h"

#include <cmath>

#include <gtest/gtest.h>

#include "snellen/testing/handmade_files.h"

namespace snellen::models::nn {
namespace {

TEST(TokenLogProbabilities, AreThoseOfTheStateBeforeEachToken) {
  // Two words; a state is its own two logits.
  Linear head{.weight = at::eye(2), .bias = {}};
  std::vector<TokenIds> texts = {{0, 1, 1}};
  std::vector<TextBatch> batches = batches_of(texts, {.vocabulary = 2});
  at::Tensor states = at::zeros({1, 16, 2});
  states[0][0][1] = std::log(3.0);  // word 1 is three times as likely as word 0
  std::vector<std::vector<double>> all(1);
  token_log_probabilities(states, head, batches[0], /*first_position=*/0, all);
  ASSERT_EQ(all[0].size(), 3u);
  EXPECT_EQ(all[0][0], 0);
  EXPECT_NEAR(all[0][1], std::log(0.75), 1e-7);
  EXPECT_NEAR(all[0][2], std::log(0.5), 1e-7);
}

TEST(LanguageHead, IsTheFilesOwnWhereItDiffersAndSaysSo) {
  handmade::Folder folder("language_head");
  folder.put("config.json", "{}");
  folder.put(
      "model.safetensors",
      handmade::safetensors(R"({"same":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                            R"("other":{"dtype":"F32","shape":[2,1],"data_offsets":[8,16]}})",
                            handmade::floats({1, 2, 1, 3})));
  Checkpoint checkpoint(folder.path());
  Weights weights(checkpoint, {});
  at::Tensor embeddings = at::tensor({1.F, 2.F}).view({2, 1});
  for (const char* tied : {"same", "absent"}) {
    LanguageHead head = language_head(weights, tied, embeddings);
    EXPECT_TRUE(head.linear.weight.is_same(embeddings)) << tied;
    EXPECT_TRUE(head.warnings().empty()) << tied;
  }
  LanguageHead own = language_head(weights, "other", embeddings);
  EXPECT_EQ(own.linear.weight[1][0].item<float>(), 3);
  EXPECT_EQ(own.warnings().size(), 1u);
}

}  // namespace
}  // namespace snellen::models::nn
