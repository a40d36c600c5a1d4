// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weight_names.h"

#include <gtest/gtest.h>

namespace snellen::models {
namespace {

TEST(WeightNames, DropsBuffersThatOldFilesStored) {
  for (const char* name : {"text_model.embeddings.position_ids",
                           "bert.embeddings.token_type_ids",
                           "h.0.attn.bias",
                           "transformer.h.11.attn.masked_bias",
                           "attn_mask",
                           "text.attn_mask",
                           "visual.bn1.num_batches_tracked"})
    EXPECT_TRUE(is_dropped(name)) << name;
  for (const char* name : {"h.0.attn.c_attn.bias",
                           "transformer.resblocks.0.attn.in_proj_bias",
                           "embeddings.position_embeddings.weight",
                           "my_attn_mask"})
    EXPECT_FALSE(is_dropped(name)) << name;
}

TEST(WeightNames, RenamesGammaAndBetaOfLayerNormOnly) {
  EXPECT_EQ(renamed("bert.embeddings.LayerNorm.gamma"), "bert.embeddings.LayerNorm.weight");
  EXPECT_EQ(renamed("LayerNorm.beta"), "LayerNorm.bias");
  EXPECT_EQ(renamed("layer.gamma"), "layer.gamma");
  EXPECT_EQ(renamed("MyLayerNorm.gamma"), "MyLayerNorm.gamma");
}

TEST(WeightNames, TriesANameWithAndWithoutItsPrefix) {
  EXPECT_EQ(with_and_without_prefix("wte.weight", "transformer."),
            (std::vector<std::string>{"wte.weight", "transformer.wte.weight"}));
  EXPECT_EQ(with_and_without_prefix("bert.pooler.dense.bias", "bert."),
            (std::vector<std::string>{"bert.pooler.dense.bias", "pooler.dense.bias"}));
  EXPECT_EQ(with_and_without_prefix("a", ""), (std::vector<std::string>{"a"}));
}

}  // namespace
}  // namespace snellen::models
