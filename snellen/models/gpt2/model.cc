// SPDX-License-Identifier: Apache-2.0
// GPT-2 (Radford et al. 2019; spec/models.md 4.6). Its weights are stored [in, out].
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/likelihood.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/nn/text_batch.h"
#include "snellen/models/nn/vision_transformer.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models {
namespace {

nn::Linear conv1d(nn::Weights& weights, const std::string& name, int64_t out, int64_t in) {
  return {.weight = weights.take(name + ".weight", {in, out}).t().contiguous(),
          .bias = weights.take(name + ".bias", {out})};
}

class Gpt2Network : public nn::NetworkBase, public LanguageModel {
 public:
  Gpt2Network(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"transformer."});
    ConfigView config = checkpoint.config();
    int64_t width = config.positive("n_embd", 768);
    tokens_ = weights.take("wte.weight", {config.positive("vocab_size", 50257), width});
    positions_ = weights.take("wpe.weight", {config.positive("n_positions", 1024), width});
    double eps = config.positive_number("layer_norm_epsilon", 1e-5);
    load_blocks(weights, config, width, eps);
    final_norm_ = weights.layer_norm("ln_f", width, eps);
    nn::LanguageHead head = nn::language_head(weights, "lm_head.weight", tokens_);
    head_ = head.linear;
    settle(weights,
           {.family = "gpt2",
            .heads = {"likelihood"},
            .max_text_tokens = positions_.size(0),
            .stamp = {{"activation", std::string(nn::name_of(blocks_[0].mlp.activation))},
                      {"eps", fmt::format("{}", eps)}},
            .warnings = head.warnings()});
  }

  const LanguageModel* language() const override { return this; }

  std::vector<std::vector<double>> log_probabilities(std::span<const TokenIds> texts,
                                                     const SeenImage* image,
                                                     Trace* trace) const override {
    c10::InferenceMode guard;
    if (image) throw Error{ErrorCode::kUsage, "GPT-2 sees no pictures"};
    std::vector<std::vector<double>> all(texts.size());
    nn::TextBatchOptions batching = {.vocabulary = tokens_.size(0),
                                     .max_tokens = positions_.size(0),
                                     .device = options().device()};
    for (const nn::TextBatch& batch : nn::batches_of(texts, batching)) {
      Trace* shown = batch.places[0] == 0 ? trace : nullptr;
      at::Tensor x =
          at::embedding(tokens_, batch.ids) +
          at::embedding(positions_,
                        nn::positions_of(batch.length(), positions_.size(0), options().device()));
      int64_t first = batch.lengths[0];
      if (shown) nn::record(shown, "text.0", x.narrow(0, 0, 1).narrow(1, 0, first));
      x = final_norm_(
          nn::run_blocks(blocks_, x, {.hidden_keys = {}, .is_causal = true}, shown, "text", first));
      if (shown) nn::record(shown, "logits.0", head_(x.select(0, 0).narrow(0, 0, first)));
      nn::token_log_probabilities(x, head_, batch, /*first_position=*/0, all);
    }
    return all;
  }

 private:
  void load_blocks(nn::Weights& weights, const ConfigView& config, int64_t width, double eps) {
    int64_t heads = config.heads("n_head", 12, width);
    int64_t mlp_width = config.positive("n_inner", 4 * width);
    nn::Activation activation = nn::activation_of(config.text("activation_function", "gelu_new"));
    bool is_scaled = config.boolean("scale_attn_weights", true);
    bool by_layer = config.boolean("scale_attn_by_inverse_layer_idx", false);
    int64_t num_layers = config.layers("n_layer", 12);
    for (int64_t i = 0; i < num_layers; ++i) {
      std::string prefix = fmt::format("h.{}.", i);
      nn::PreNormBlock block;
      block.norm1 = weights.layer_norm(prefix + "ln_1", width, eps);
      block.attention = {.qkv = conv1d(weights, prefix + "attn.c_attn", 3 * width, width),
                         .out = conv1d(weights, prefix + "attn.c_proj", width, width),
                         .num_heads = heads,
                         .scale = (is_scaled ? 1 / std::sqrt(static_cast<double>(width) /
                                                             static_cast<double>(heads))
                                             : 1.0) /
                                  (by_layer ? static_cast<double>(i + 1) : 1.0)};
      block.norm2 = weights.layer_norm(prefix + "ln_2", width, eps);
      block.mlp = {.in = conv1d(weights, prefix + "mlp.c_fc", mlp_width, width),
                   .out = conv1d(weights, prefix + "mlp.c_proj", width, mlp_width),
                   .activation = activation};
      blocks_.push_back(std::move(block));
    }
  }

  at::Tensor tokens_;
  at::Tensor positions_;
  std::vector<nn::PreNormBlock> blocks_;
  nn::LayerNorm final_norm_;
  nn::Linear head_;
};

}  // namespace

std::unique_ptr<Architecture> make_gpt2();
std::unique_ptr<Architecture> make_gpt2() {
  return nn::architecture_of<Gpt2Network>(
      {.family = "gpt2",
       .summary = "GPT-2: how likely a text is, without any picture",
       .model_types = {"gpt2"},
       .heads = {"likelihood"},
       .paper = "Radford et al. 2019"});
}

}  // namespace snellen::models
