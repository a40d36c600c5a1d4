// SPDX-License-Identifier: Apache-2.0
// BridgeTower (Xu et al. 2023; docs/spec/models.md 4.2): the last layers of two towers feed, one by
// one, two streams that look at each other. The picture's tower knows no text, so all its states
// are made once.
#include <algorithm>
#include <cmath>

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include "snellen/models/bridge_tower/link.h"
#include "snellen/models/nn/bert_layers.h"
#include "snellen/models/nn/block_weights.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/network_base.h"
#include "snellen/models/nn/seen_images.h"
#include "snellen/models/nn/vision_transformer.h"
#include "snellen/models/pooled_trace.h"

namespace snellen::models {
namespace {

constexpr int64_t kProcessorTokens =
    40;  // BridgeTowerProcessor cuts texts there (docs/spec/models.md 2.2)

// The picture's states as they join the streams, [1, tokens, width] each. The first layer that
// looks at a text begins with what is the same for all texts: its attention within the picture, and
// the picture's keys and values for the text.
struct BridgeImage {
  std::vector<at::Tensor> states;  // the first is not needed any more
  at::Tensor after_attention;
  nn::KeysAndValues keys;
};

class BridgeTowerNetwork : public nn::NetworkBase, public PairScorer, public DualEncoder {
 public:
  BridgeTowerNetwork(const Checkpoint& checkpoint, const NetworkOptions& options) {
    nn::Weights weights(checkpoint, options, {"bridgetower."});
    ConfigView config = checkpoint.config();
    width_ = config.positive("hidden_size", 768);
    load_vision(weights, config.sub("vision_config"));
    load_text(weights, config.sub("text_config"));
    load_cross(weights, config);
    load_heads(weights, config);
    std::vector<std::string> heads;
    if (itm_head_.weight.defined()) heads.emplace_back("itm");
    if (itc_text_.weight.defined()) heads.emplace_back("itc");
    settle(weights,
           {.family = "bridge_tower",
            .heads = std::move(heads),
            .max_text_tokens = std::min(kProcessorTokens, embeddings_.max_tokens()),
            .image_size = vision_.image_size,
            .stamp = {{"eps", fmt::format("{}", text_norm_.eps)},
                      {"link", config.text("link_tower_type", "add")},
                      {"scale", fmt::format("{}", scale_)}}});
  }

  const PairScorer* pair() const override { return itm_head_.weight.defined() ? this : nullptr; }
  const DualEncoder* dual() const override { return itc_text_.weight.defined() ? this : nullptr; }
  size_t score_column() const override { return 1; }

  SeenImages see(const PixelsView& pixels, Trace* trace) const override {
    c10::InferenceMode guard;
    std::vector<at::Tensor> states = image_states(pixels, trace);
    states[0] = image_norm_(states[0]);
    return nn::seen_images(states[0].size(0), [&](int64_t i) {
      BridgeImage image;
      for (const at::Tensor& state : states) image.states.push_back(state.narrow(0, i, 1).clone());
      image.after_attention = image_cross_[0].after_attention(image.states[0], {});
      image.keys = text_cross_[0].cross->remember(image.states[0]);
      return image;
    });
  }

  Matrix match(const SeenImage& image,
               std::span<const TokenIds> texts,
               Trace* trace) const override {
    c10::InferenceMode guard;
    const auto& seen = nn::state_of<BridgeImage>(image);
    return nn::rows_by_text(
        texts, batching(), trace, [&](const nn::TextBatch& batch, Trace* shown) {
          return match_batch(seen, batch, shown);
        });
  }

  // L2-normalised already.
  Matrix embed_images(const PixelsView& pixels, Trace*) const override {
    c10::InferenceMode guard;
    at::Tensor last = image_states(pixels, nullptr).back();
    return nn::to_matrix(nn::l2_normalized(itc_image_(last.select(1, 0)).to(at::kFloat)));
  }
  Matrix embed_texts(std::span<const TokenIds> texts, Trace*) const override {
    c10::InferenceMode guard;
    return nn::rows_by_text(texts, batching(), nullptr, [&](const nn::TextBatch& batch, Trace*) {
      at::Tensor x = nn::run_layers(text_layers_, embeddings_(batch.ids), batch, nullptr, "text");
      return nn::l2_normalized(itc_text_(x.select(1, 0)).to(at::kFloat));
    });
  }
  Similarity similarity(std::string_view) const override { return {.scale = scale_}; }

 private:
  nn::TextBatchOptions batching() const {
    nn::TextBatchOptions batching =
        nn::batching_of(embeddings_.vocabulary(), embeddings_.max_tokens(), options());
    batching.pad_id = pad_id_;
    return batching;
  }
  size_t first_shared() const { return text_layers_.size() - text_cross_.size(); }

  // One state for each cross-modal layer, in the width of the streams and with the picture's type.
  std::vector<at::Tensor> image_states(const PixelsView& pixels, Trace* trace) const {
    at::Tensor x = (*vision_.pre_norm)(vision_.embed(pixels_of(pixels)));
    auto show = [&](size_t layer) {
      if (trace) nn::record(trace, "vision", layer, x.narrow(0, 0, 1));
    };
    show(0);
    std::vector<at::Tensor> states;
    for (size_t i = 0; i < vision_.blocks.size(); ++i) {
      x = vision_.blocks[i](x);
      show(i + 1);
      if (i >= first_shared())
        states.push_back(transform(image_transform_, i - first_shared())(post_norm_(x)) +
                         types_[1]);
    }
    return states;
  }

  at::Tensor match_batch(const BridgeImage& seen, const nn::TextBatch& batch, Trace* trace) const {
    nn::AttentionMask mask = {.hidden_keys = batch.hidden_keys};
    auto show = [&](std::string_view stream, size_t layer, const at::Tensor& x, int64_t length) {
      if (trace) nn::record(trace, stream, layer, x.narrow(0, 0, 1).narrow(1, 0, length));
    };
    int64_t num_image_tokens = seen.states[0].size(1), first = batch.lengths[0];
    at::Tensor text = embeddings_(batch.ids);
    show("text", 0, text, first);
    at::Tensor text_stream, image_stream;
    for (size_t i = 0; i < text_layers_.size(); ++i) {
      text = text_layers_[i](text, mask);
      show("text", i + 1, text, first);
      if (i < first_shared()) continue;
      size_t k = i - first_shared();
      at::Tensor joining = transform(text_transform_, k)(text) + types_[0];
      if (k == 0) {
        text_stream = text_norm_(joining);
        nn::KeysAndValues text_keys = image_cross_[0].cross->remember(text_stream);
        text_stream = text_cross_[0](text_stream, mask, &seen.keys);
        image_stream = image_cross_[0].after_context(
            seen.after_attention.expand({batch.size(), num_image_tokens, width_}).contiguous(),
            &text_keys,
            batch.hidden_keys);
      } else {
        text_stream = text_links_[k - 1](joining, text_stream);
        image_stream = image_links_[k - 1](seen.states[k], image_stream);
        // Both read the other's input of this layer. Of the last one only the first tokens are
        // wanted.
        nn::KeysAndValues image_keys = text_cross_[k].cross->remember(image_stream);
        nn::KeysAndValues text_keys = image_cross_[k].cross->remember(text_stream);
        const bool is_last = k + 1 == text_cross_.size() && !trace;
        auto layer = [&](const nn::PostNormBlock& block, auto&&... rest) {
          return is_last ? block.of_first(rest...) : block(rest...);
        };
        text_stream = layer(text_cross_[k], text_stream, mask, &image_keys);
        image_stream = layer(
            image_cross_[k], image_stream, nn::AttentionMask{}, &text_keys, batch.hidden_keys);
      }
      show("cross_text", k + 1, text_stream, first);
      show("cross_image", k + 1, image_stream, num_image_tokens);
    }
    at::Tensor pooled = at::cat({at::tanh(text_pooler_(text_stream.select(1, 0))),
                                 at::tanh(image_pooler_(image_stream.select(1, 0)))},
                                -1);
    if (trace) nn::record(trace, kPooledTrace, pooled.narrow(0, 0, 1));
    return itm_head_(pooled);
  }

  static const nn::Linear& transform(const std::vector<nn::Linear>& transforms, size_t layer) {
    return transforms.size() == 1 ? transforms[0] : transforms[layer];
  }

  void load_vision(nn::Weights& weights, const ConfigView& config) {
    if (!config.boolean("share_layernorm", true))
      config.fail("share_layernorm", "false is not supported");
    int64_t width = config.positive("hidden_size", 768);
    int64_t patch = config.positive("patch_size", 16);
    int64_t num_layers = config.layers("num_hidden_layers", 12) -
                         (config.boolean("remove_last_layer", false) ? 1 : 0);
    double eps = config.positive_number("layer_norm_eps", 1e-5);
    if (width % 64 != 0) config.fail("hidden_size", "is no multiple of 64, the width of a head");
    vision_.image_size = config.positive("image_size", 288);
    int64_t grid = vision_.image_size / patch;
    const std::string prefix = "vision_model.visual.";
    vision_.patches = weights.patch_embedding(
        prefix + "embeddings.patch_embedding", width, patch, /*has_bias=*/false);
    vision_.class_token = weights.take(prefix + "embeddings.class_embedding", {width});
    vision_.positions =
        weights.take(prefix + "embeddings.position_embedding.weight", {grid * grid + 1, width});
    vision_.pre_norm = weights.layer_norm(prefix + "ln_pre", width, eps);
    vision_.blocks = nn::residual_attention_blocks(weights,
                                                   prefix + "transformer.resblocks.",
                                                   num_layers,
                                                   {.width = width,
                                                    .mlp_width = 4 * width,
                                                    .num_heads = width / 64,
                                                    .eps = eps,
                                                    .activation = nn::Activation::kQuickGelu});
    post_norm_ = weights.layer_norm(prefix + "ln_post", width, eps);
  }

  void load_text(nn::Weights& weights, const ConfigView& config) {
    text_shape_ = nn::bert_shape(config, {.eps = 1e-5});
    pad_id_ = config.integer("pad_token_id", 1);
    int64_t vocabulary = config.positive("vocab_size", 50265);
    if (pad_id_ < 0 || pad_id_ >= vocabulary)
      config.fail("pad_token_id", "is outside the vocabulary");
    embeddings_ = nn::bert_embeddings(weights,
                                      "text_model.embeddings.",
                                      vocabulary,
                                      config.positive("max_position_embeddings", 514),
                                      config.positive("type_vocab_size", 1),
                                      text_shape_);
    embeddings_.pad_id = pad_id_;
    text_layers_ = nn::bert_layers(
        weights, "text_model.encoder.layer.", config.layers("num_hidden_layers", 12), text_shape_);
  }

  void load_cross(nn::Weights& weights, const ConfigView& config) {
    int64_t num_layers = config.layers("num_hidden_layers", 6);
    if (num_layers > static_cast<int64_t>(text_layers_.size()) ||
        text_layers_.size() != vision_.blocks.size())
      config.fail("num_hidden_layers", "does not fit the layers of both towers");
    double eps = config.positive_number("layer_norm_eps", 1e-5);
    bool is_shared = config.boolean("share_cross_modal_transformer_layers", true);
    for (int64_t i = 0; i < (is_shared ? 1 : num_layers); ++i) {
      std::string place = is_shared ? "" : fmt::format(".{}", i);
      text_transform_.push_back(
          weights.linear("cross_modal_text_transform" + place, width_, text_shape_.width));
      image_transform_.push_back(
          weights.linear("cross_modal_image_transform" + place, width_, post_norm_.weight.size(0)));
    }
    types_ = weights.take("token_type_embeddings.weight", {2, width_});
    text_norm_ = weights.layer_norm("cross_modal_text_layernorm", width_, eps);
    image_norm_ = weights.layer_norm("cross_modal_image_layernorm", width_, eps);
    nn::BertShape shape = text_shape_;
    shape.width = width_;
    shape.context_width = width_;
    text_cross_ = nn::bert_layers(weights, "cross_modal_text_layers.", num_layers, shape);
    image_cross_ = nn::bert_layers(weights, "cross_modal_image_layers.", num_layers, shape);
    text_links_ = bridge_tower::load_links(weights, config, "cross_modal_text_link_tower");
    image_links_ = bridge_tower::load_links(weights, config, "cross_modal_image_link_tower");
    text_pooler_ = weights.linear("cross_modal_text_pooler.dense", width_, width_);
    image_pooler_ = weights.linear("cross_modal_image_pooler.dense", width_, width_);
  }

  void load_heads(nn::Weights& weights, const ConfigView& config) {
    if (weights.has("itm_score.fc.weight"))
      itm_head_ = weights.linear("itm_score.fc", 2, 2 * width_);
    if (!weights.has("itc_text_head.fc.weight")) return;
    int64_t joint = config.positive("contrastive_hidden_size", 512);
    itc_text_ = weights.linear("itc_text_head.fc", joint, width_);
    itc_image_ = weights.linear("itc_image_head.fc", joint, width_);
    if (weights.has("logit_scale")) scale_ = std::exp(weights.take_number("logit_scale"));
  }

  int64_t width_ = 0;  // of the streams
  nn::VisionTransformer vision_;
  nn::LayerNorm post_norm_;
  nn::BertShape text_shape_;
  nn::BertEmbeddings embeddings_;
  int64_t pad_id_ = 1;
  std::vector<nn::PostNormBlock> text_layers_;
  std::vector<nn::Linear> text_transform_;
  std::vector<nn::Linear> image_transform_;
  at::Tensor types_;  // [2, width]: text, picture
  nn::LayerNorm text_norm_;
  nn::LayerNorm image_norm_;
  std::vector<nn::PostNormBlock> text_cross_;
  std::vector<nn::PostNormBlock> image_cross_;
  std::vector<bridge_tower::Link> text_links_;
  std::vector<bridge_tower::Link> image_links_;
  nn::Linear text_pooler_;
  nn::Linear image_pooler_;
  nn::Linear itm_head_;
  nn::Linear itc_text_;
  nn::Linear itc_image_;
  double scale_ = 1;
};

}  // namespace

std::unique_ptr<Architecture> make_bridge_tower();
std::unique_ptr<Architecture> make_bridge_tower() {
  return nn::architecture_of<BridgeTowerNetwork>(
      {.family = "bridge_tower",
       .summary = "BridgeTower: matching, and its contrastive class",
       .model_types = {"bridgetower"},
       .heads = {"itm", "itc"},
       .paper = "Xu et al. 2023"});
}

}  // namespace snellen::models
