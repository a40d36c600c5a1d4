// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/open_clip/settings.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::models::open_clip {
namespace {

constexpr std::array<std::string_view, 12> kRefused = {"timm_model_name",
                                                       "hf_model_name",
                                                       "attentional_pool",
                                                       "ls_init_value",
                                                       "qk_norm",
                                                       "scaled_cosine",
                                                       "scale_heads",
                                                       "scale_attn_inner",
                                                       "scale_attn",
                                                       "scale_fc",
                                                       "norm_kwargs",
                                                       "act_kwargs"};

void refuse_options(const ConfigView& config) {
  for (std::string_view key : kRefused) {
    if (config.is_set(key)) config.fail(key, "is an option of open_clip that is not supported");
  }
}

int64_t count_layers(const nn::Weights& weights,
                     const std::string& prefix,
                     const std::string& suffix) {
  int64_t count = 0;
  while (weights.has(fmt::format("{}{}{}", prefix, count, suffix))) ++count;
  return count;
}

Settings from_config(const ConfigView& config) {
  Settings settings;
  settings.embed_width = config.positive("embed_dim");
  settings.is_quick_gelu = config.boolean("quick_gelu", false);
  ConfigView vision = config.sub("vision_cfg");
  refuse_options(vision);
  settings.image_size = vision.positive("image_size", 224);
  settings.vision_width = vision.positive("width", 768);
  int64_t head_width = vision.positive("head_width", 64);
  if (vision.is_list("layers")) {
    settings.resnet_layers = vision.integers("layers");
    if (settings.resnet_layers.size() != 4) vision.fail("layers", "must name four stages");
    settings.vision_heads = settings.vision_width * 32 / head_width;
  } else {
    settings.vision_layers = vision.layers("layers", 12);
    if (settings.vision_width % head_width != 0)
      vision.fail("head_width", "does not divide the width");
    settings.vision_heads = settings.vision_width / head_width;
    settings.patch = vision.positive("patch_size", 16);
    settings.vision_mlp = static_cast<int64_t>(static_cast<double>(settings.vision_width) *
                                               vision.positive_number("mlp_ratio", 4.0));
  }
  if (std::string pool = vision.text("pool_type", "tok"); pool != "tok")
    vision.fail("pool_type", fmt::format("'{}' is not supported, only tok", pool));
  ConfigView text = config.sub("text_cfg");
  refuse_options(text);
  settings.context = text.positive("context_length", 77);
  settings.vocabulary = text.positive("vocab_size", 49408);
  settings.text_width = text.positive("width", 512);
  settings.text_heads = text.heads("heads", 8, settings.text_width);
  settings.text_layers = text.layers("layers", 12);
  if (std::string pool = text.text("pool_type", "argmax"); pool != "argmax")
    text.fail("pool_type", fmt::format("'{}' is not supported, only argmax", pool));
  return settings;
}

// OpenAI's state dict carries no config: its shapes say all.
Settings from_shapes(const nn::Weights& weights) {
  Settings settings;
  settings.is_quick_gelu = true;
  std::vector<int64_t> projection = weights.shape_of("text_projection");
  settings.embed_width = projection.at(1);
  settings.text_width = weights.shape_of("ln_final.weight").at(0);
  settings.text_heads = std::max<int64_t>(1, settings.text_width / 64);
  settings.context = weights.shape_of("positional_embedding").at(0);
  settings.vocabulary = weights.shape_of("token_embedding.weight").at(0);
  settings.text_layers = count_layers(weights, "transformer.resblocks.", ".ln_1.weight");
  if (weights.has("visual.proj")) {
    std::vector<int64_t> patches = weights.shape_of("visual.conv1.weight");
    settings.vision_width = patches.at(0);
    settings.patch = patches.back();
    int64_t grid = std::llround(
        std::sqrt(static_cast<double>(weights.shape_of("visual.positional_embedding").at(0) - 1)));
    settings.image_size = grid * settings.patch;
    settings.vision_heads = std::max<int64_t>(1, settings.vision_width / 64);
    settings.vision_mlp = settings.vision_width * 4;
    settings.vision_layers = count_layers(weights, "visual.transformer.resblocks.", ".ln_1.weight");
  } else {
    settings.vision_width = weights.shape_of("visual.conv3.weight").at(0);
    for (int stage = 1; stage <= 4; ++stage)
      settings.resnet_layers.push_back(
          count_layers(weights, fmt::format("visual.layer{}.", stage), ".conv1.weight"));
    int64_t cells = weights.shape_of("visual.attnpool.positional_embedding").at(0) - 1;
    settings.image_size = std::llround(std::sqrt(static_cast<double>(cells))) * 32;
    settings.vision_heads = std::max<int64_t>(1, settings.vision_width * 32 / 64);
  }
  return settings;
}

}  // namespace

Settings settings_of(const Checkpoint& checkpoint,
                     const nn::Weights& weights,
                     const NetworkOptions& options) {
  Settings settings = checkpoint.has_config() ? from_config(checkpoint.config().sub("model_cfg"))
                                              : from_shapes(weights);
  if (options.quick_gelu != "auto") settings.is_quick_gelu = options.quick_gelu == "on";
  return settings;
}

}  // namespace snellen::models::open_clip
