// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/fresh/fresh_model.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/base/files.h"
#include "snellen/training/fresh/tokenizer_files.h"

namespace snellen::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kClip = R"json({
  "architectures": ["CLIPModel"], "model_type": "clip", "dtype": "float32", "projection_dim": 128,
  "text_config": {"model_type": "clip_text_model", "hidden_size": 128, "intermediate_size": 512, "num_hidden_layers": 3,
                  "num_attention_heads": 4, "max_position_embeddings": 48, "projection_dim": 128},
  "vision_config": {"model_type": "clip_vision_model", "hidden_size": 192, "intermediate_size": 384, "num_hidden_layers": 5,
                    "num_attention_heads": 6, "image_size": 112, "patch_size": 8, "projection_dim": 128}
})json";

constexpr const char* kBlip = R"json({
  "architectures": ["BlipForImageTextRetrieval"], "model_type": "blip", "dtype": "float32", "image_text_hidden_size": 128,
  "text_config": {"model_type": "blip_text_model", "hidden_size": 128, "encoder_hidden_size": 192, "intermediate_size": 384,
                  "num_hidden_layers": 3, "num_attention_heads": 4, "max_position_embeddings": 64,
                  "projection_dim": 128, "hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0},
  "vision_config": {"model_type": "blip_vision_model", "hidden_size": 192, "intermediate_size": 384, "num_hidden_layers": 5,
                    "num_attention_heads": 6, "image_size": 112, "patch_size": 8, "initializer_range": 0.02}
})json";

constexpr const char* kXClip = R"json({
  "architectures": ["XCLIPModel"], "model_type": "xclip", "dtype": "float32", "projection_dim": 128,
  "prompt_layers": 1, "prompt_num_attention_heads": 4,
  "text_config": {"model_type": "xclip_text_model", "hidden_size": 128, "intermediate_size": 384, "num_hidden_layers": 3,
                  "num_attention_heads": 4, "max_position_embeddings": 64},
  "vision_config": {"model_type": "xclip_vision_model", "hidden_size": 160, "intermediate_size": 320, "num_hidden_layers": 4,
                    "num_attention_heads": 5, "image_size": 96, "patch_size": 8, "num_frames": 8, "mit_hidden_size": 128,
                    "mit_intermediate_size": 384, "mit_num_hidden_layers": 2, "mit_num_attention_heads": 4}
})json";

constexpr const char* kGpt2 = R"json({
  "architectures": ["GPT2LMHeadModel"], "model_type": "gpt2", "dtype": "float32", "n_embd": 160, "n_layer": 5, "n_head": 5,
  "n_positions": 128, "resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0
})json";

// CLIP's published means.
const Json kMean = {0.48145466, 0.4578275, 0.40821073};
const Json kStd = {0.26862954, 0.26130258, 0.27577711};

int64_t image_size(const Json& config, int64_t otherwise) {
  auto vision = config.find("vision_config");
  return vision == config.end() ? otherwise : vision->value("image_size", otherwise);
}

Json cropping_processor(const char* type, int64_t side) {
  return {{"image_processor_type", type},
          {"do_resize", true},
          {"size", {{"shortest_edge", side}}},
          {"resample", 3},
          {"do_center_crop", true},
          {"crop_size", {{"height", side}, {"width", side}}},
          {"do_rescale", true},
          {"rescale_factor", 1.0 / 255.0},
          {"do_normalize", true},
          {"image_mean", kMean},
          {"image_std", kStd}};
}

Json stretching_processor(const char* type, int64_t side) {
  Json processor = cropping_processor(type, side);
  processor.erase("do_center_crop");
  processor.erase("crop_size");
  processor["size"] = {{"height", side}, {"width", side}};
  return processor;
}

void write_json(const std::filesystem::path& file, const Json& json) {
  write_text_file(file, json.dump(2) + "\n");
}

void set_ids(Json& config, const TokenizerIds& ids) {
  config["vocab_size"] = ids.vocabulary;
  config["bos_token_id"] = ids.start;
  config["eos_token_id"] = ids.end;
  config["pad_token_id"] = ids.padding;
}

}  // namespace

bool is_trainable(std::string_view arch) {
  return arch == "clip" || arch == "blip" || arch == "xclip" || arch == "gpt2";
}

Json small_config(std::string_view arch) {
  SNELLEN_CHECK(is_trainable(arch));
  return Json::parse(arch == "clip"    ? kClip
                     : arch == "blip"  ? kBlip
                     : arch == "xclip" ? kXClip
                                       : kGpt2);
}

void write_fresh_model(std::string_view arch, Json config, const std::filesystem::path& folder) {
  if (config.value("model_type", "") != arch) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("model_type is '{}', expected {}", config.value("model_type", ""), arch),
        "--init"};
  }
  std::vector<std::string> texts = vocabulary_texts();
  if (arch == "gpt2") {
    auto positions = config.value("n_positions", size_t{1024});
    set_ids(config, write_gpt2_tokenizer(folder, texts, positions));
  } else if (arch == "blip") {
    auto positions = config["text_config"].value("max_position_embeddings", size_t{512});
    TokenizerIds ids = write_bert_tokenizer(folder, texts, positions);
    set_ids(config["text_config"], ids);
    config["text_config"]["sep_token_id"] = ids.end;
    write_json(folder / "preprocessor_config.json",
               stretching_processor("BlipImageProcessor", image_size(config, 384)));
  } else {
    auto positions = config["text_config"].value("max_position_embeddings", size_t{77});
    set_ids(config["text_config"], write_clip_tokenizer(folder, texts, positions));
    write_json(folder / "preprocessor_config.json",
               cropping_processor(arch == "clip" ? "CLIPImageProcessor" : "VideoMAEImageProcessor",
                                  image_size(config, 224)));
  }
  write_json(folder / "config.json", config);
}

}  // namespace snellen::training
