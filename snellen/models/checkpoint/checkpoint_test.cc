// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/checkpoint/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "snellen/base/hash.h"
#include "snellen/testing/handmade_files.h"

namespace snellen::models {
namespace {

using handmade::Folder;
using testing::HasSubstr;

const std::string kWeights = handmade::safetensors(
    R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", handmade::floats({1}));

Error refusal(const std::filesystem::path& folder, Layout layout = Layout::kAuto) {
  try {
    Checkpoint checkpoint(folder, layout);
  } catch (const Error& error) {
    return error;
  }
  return Error{ErrorCode::kInternal, "was read"};
}

TEST(Checkpoint, SaysWhatModelAFolderHolds) {
  Folder folder("checkpoint_good");
  std::string config = R"({"model_type":"clip","architectures":["CLIPModel"],"projection_dim":22})";
  folder.put("config.json", config);
  folder.put("model.safetensors", kWeights);
  Checkpoint checkpoint(folder.path());
  EXPECT_FALSE(checkpoint.is_open_clip());
  EXPECT_EQ(checkpoint.model_type(), "clip");
  EXPECT_EQ(checkpoint.architecture(), "CLIPModel");
  EXPECT_EQ(checkpoint.config().positive("projection_dim", 512), 22);
  EXPECT_NE(checkpoint.weights().find("a"), nullptr);
  std::vector<Checkpoint::FileHash> identity = checkpoint.identity();
  ASSERT_EQ(identity.size(), 2u);
  EXPECT_EQ(identity[0].name, "config.json");
  EXPECT_EQ(identity[0].sha256, sha256_hex(config));
  EXPECT_EQ(identity[1].name, "model.safetensors");
  EXPECT_EQ(identity[1].sha256, sha256_hex(kWeights));
  ConfigView config_view = checkpoint.config();
  Checkpoint moved = std::move(checkpoint);
  EXPECT_EQ(config_view.positive("projection_dim", 512), 22);
}

TEST(Checkpoint, TakesTheLayoutThatIsAskedFor) {
  Folder folder("checkpoint_both");
  folder.put("open_clip_config.json", R"({"model_cfg":{"embed_dim":21}})");
  folder.put("open_clip_model.safetensors", kWeights);
  EXPECT_TRUE(Checkpoint(folder.path()).is_open_clip());
  folder.put("config.json", R"({"model_type":"clip"})");
  folder.put("model.safetensors", kWeights);
  EXPECT_FALSE(Checkpoint(folder.path()).is_open_clip());
  Checkpoint open(folder.path(), Layout::kOpenClip);
  EXPECT_TRUE(open.is_open_clip());
  EXPECT_EQ(open.config().sub("model_cfg").positive("embed_dim"), 21);
  EXPECT_EQ(open.weights().files().front().filename(), "open_clip_model.safetensors");
  EXPECT_EQ(open.model_type(), "");
}

TEST(Checkpoint, AStateDictOfOpenAiNeedsNoConfig) {
  Folder folder("checkpoint_openai");
  folder.put("open_clip_model.safetensors", kWeights);
  Checkpoint checkpoint(folder.path());
  EXPECT_TRUE(checkpoint.is_open_clip());
  EXPECT_FALSE(checkpoint.has_config());
  EXPECT_EQ(checkpoint.identity().size(), 1u);
}

TEST(Checkpoint, RefusesAFolderWithoutConfig) {
  Folder folder("checkpoint_no_config");
  folder.put("model.safetensors", kWeights);
  EXPECT_EQ(refusal(folder.path()).code(), ErrorCode::kNotFound);
  EXPECT_THAT(refusal(folder.path()).message(), HasSubstr("has no config.json"));
  EXPECT_THAT(refusal(folder.path() / "absent").message(), HasSubstr("does not exist"));
  EXPECT_THAT(refusal(folder.path() / "model.safetensors").message(),
              HasSubstr("not a checkpoint folder"));
}

TEST(Checkpoint, RefusesDamagedWeights) {
  Folder folder("checkpoint_damaged");
  folder.put("config.json", "{}");
  EXPECT_THAT(refusal(folder.path()).message(), HasSubstr("holds no weights"));
  folder.put("model.safetensors", kWeights.substr(0, kWeights.size() - 1));
  EXPECT_THAT(refusal(folder.path()).message(), HasSubstr("the file holds 3 bytes of data"));
  folder.put("model.safetensors", handmade::little_endian(uint64_t{1} << 60, 8) + kWeights);
  EXPECT_THAT(refusal(folder.path()).message(), HasSubstr("header claims"));
  folder.put("model.safetensors",
             handmade::safetensors(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
                                   R"("b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}})",
                                   "123"));
  EXPECT_THAT(refusal(folder.path()).message(), HasSubstr("overlaps"));
}

TEST(Checkpoint, RunsNothingThatAPickleNames) {
  Folder folder("checkpoint_pickle");
  folder.put("config.json", "{}");
  std::string call = handmade::global("os", "system") +
                     handmade::text("touch " + (folder.path() / "ran").string()) + "\x85R";
  folder.put("pytorch_model.bin", handmade::torch_archive(handmade::dictionary({{"a", call}}), {}));
  EXPECT_THAT(refusal(folder.path()).message(), HasSubstr("os.system"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "ran"));
}

TEST(Checkpoint, AnUnknownModelTypeNamesTheNearest) {
  Folder folder("checkpoint_type");
  folder.put("config.json", R"({"model_type":"clipp"})");
  folder.put("model.safetensors", kWeights);
  std::vector<std::string> known = {"clip", "siglip", "opt"};
  Error error = unknown_model_type(Checkpoint(folder.path()), known);
  EXPECT_EQ(error.code(), ErrorCode::kInvalidInput);
  EXPECT_THAT(error.what(), HasSubstr("model_type 'clipp' is not supported"));
  EXPECT_THAT(error.hint(), HasSubstr("clip"));
}

}  // namespace
}  // namespace snellen::models
