// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/weight_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/error.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

using handmade::Folder;
using testing::ElementsAre;
using testing::HasSubstr;

// A safetensors file of scalars, each with its name and value.
std::string scalars(const std::vector<std::pair<std::string, float>>& values) {
  std::string header = "{", data;
  for (const auto& [name, value] : values) {
    header += fmt::format(R"({}"{}":{{"dtype":"F32","shape":[],"data_offsets":[{},{}]}})",
                          data.empty() ? "" : ",",
                          name,
                          data.size(),
                          data.size() + 4);
    data += handmade::floats({value});
  }
  return handmade::safetensors(header + "}", data);
}

std::string archive(const std::string& name, float value) {
  return handmade::torch_archive(
      handmade::dictionary({{name, handmade::pickled({.num_stored = 1})}}),
      {{"0", handmade::floats({value})}});
}

std::string refusal(const Folder& folder) {
  try {
    WeightFiles weights(folder.path());
  } catch (const Error& error) {
    return error.what();
  }
  return "was read";
}

TEST(WeightFiles, TakesTheFirstFormThatExists) {
  Folder folder("weights_first");
  folder.put("open_clip_pytorch_model.bin", archive("open", 1));
  EXPECT_THAT(WeightFiles(folder.path()).names(), ElementsAre("open"));
  folder.put("pytorch_model.bin", archive("bin", 1));
  EXPECT_THAT(WeightFiles(folder.path()).names(), ElementsAre("bin"));
  folder.put("model.safetensors", scalars({{"safe", 2}}));
  EXPECT_THAT(WeightFiles(folder.path()).names(), ElementsAre("safe"));
  EXPECT_THAT(WeightFiles(folder.path(), Layout::kOpenClip).names(), ElementsAre("open"));
}

TEST(WeightFiles, AppliesTheNameRules) {
  Folder folder("weights_names");
  folder.put("model.safetensors",
             scalars({{"x.LayerNorm.gamma", 1}, {"embeddings.position_ids", 2}, {"b", 3}}));
  WeightFiles weights(folder.path());
  EXPECT_THAT(weights.names(), ElementsAre("b", "x.LayerNorm.weight"));
  EXPECT_EQ(weights.find("embeddings.position_ids"), nullptr);
  ASSERT_NE(weights.find("b"), nullptr);
  EXPECT_EQ(weights.find("b")->bytes, handmade::floats({3}));
  std::vector<std::string> names = {"nowhere", "b"};
  EXPECT_EQ(weights.find_any(names), weights.find("b"));
}

TEST(WeightFiles, ReadsShardsThroughTheirIndex) {
  Folder folder("weights_shards");
  folder.put("pytorch_model.bin.index.json", R"({"weight_map":{"a":"one.bin","b":"two.bin"}})");
  folder.put("one.bin", archive("a", 1));
  folder.put("two.bin", archive("b", 2));
  WeightFiles weights(folder.path());
  EXPECT_THAT(weights.names(), ElementsAre("a", "b"));
  EXPECT_EQ(weights.files().size(), 3u);
  WeightFiles moved = std::move(weights);
  EXPECT_EQ(moved.find("b")->bytes, handmade::floats({2}));
}

TEST(WeightFiles, RefusesShardsThatAreMissingOrLackAWeight) {
  Folder folder("weights_lacking");
  folder.put("model.safetensors.index.json",
             R"({"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})");
  folder.put("1.safetensors", scalars({{"a", 1}}));
  EXPECT_THAT(refusal(folder), HasSubstr("2.safetensors: cannot be opened"));
  folder.put("2.safetensors", scalars({{"c", 1}}));
  EXPECT_THAT(refusal(folder), HasSubstr("weight 'b' is not in '2.safetensors'"));
  // A copy of `a` in the other shard is not the one the index names.
  folder.put("2.safetensors", scalars({{"a", 7}, {"b", 2}}));
  EXPECT_EQ(WeightFiles(folder.path()).find("a")->bytes, handmade::floats({1}));
}

TEST(WeightFiles, RefusesTwoWeightsThatBecomeOne) {
  Folder folder("weights_twice");
  folder.put("model.safetensors", scalars({{"LayerNorm.gamma", 1}, {"LayerNorm.weight", 2}}));
  EXPECT_THAT(refusal(folder), HasSubstr("weight 'LayerNorm.weight' is there twice"));
}

TEST(WeightFiles, NamesTheFilesItLookedFor) {
  Folder folder("weights_none");
  EXPECT_THAT(refusal(folder),
              HasSubstr("none of model.safetensors, model.safetensors.index.json"));
}

TEST(WeightFiles, StillReadsWhatItReleased) {
  Folder folder("weights_release");
  folder.put("model.safetensors", scalars({{"a", 4}}));
  WeightFiles weights(folder.path());
  weights.release();
  weights.release(*weights.find("a"));
  EXPECT_EQ(weights.find("a")->bytes, handmade::floats({4}));
}

}  // namespace
}  // namespace snellen::models
