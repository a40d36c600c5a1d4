// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/blip/retrieval.h"

#include "snellen/models/nn/convert.h"
#include "snellen/models/pooled_trace.h"

namespace snellen::models::blip {

std::vector<nn::KeysAndValues> Retrieval::remember(const at::Tensor& tokens) const {
  std::vector<nn::KeysAndValues> seen;
  seen.reserve(layers.size());
  for (const nn::PostNormBlock& layer : layers) seen.push_back(layer.cross->remember(tokens));
  return seen;
}

at::Tensor Retrieval::match(const nn::TextBatch& batch,
                            std::span<const nn::KeysAndValues> seen,
                            Trace* trace) const {
  at::Tensor x = embeddings(batch.ids);
  auto show = [&](size_t layer) {
    if (trace) nn::record(trace, "text", layer, x.narrow(0, 0, 1).narrow(1, 0, batch.lengths[0]));
  };
  show(0);
  const nn::AttentionMask mask = {.hidden_keys = batch.hidden_keys};
  for (size_t i = 0; i < layers.size(); ++i) {
    // Of the last layer only the first token is wanted.
    const bool is_last = i + 1 == layers.size() && !trace;
    x = is_last ? layers[i].of_first(x, mask, &seen[i]) : layers[i](x, mask, &seen[i]);
    show(i + 1);
  }
  const at::Tensor pooled = x.select(1, 0);
  if (trace) nn::record(trace, kPooledTrace, pooled.narrow(0, 0, 1));
  return itm_head(pooled);
}

at::Tensor Retrieval::embed_texts(const nn::TextBatch& batch) const {
  at::Tensor x = nn::run_layers(layers, embeddings(batch.ids), batch, nullptr, "text");
  return text_projection(x.select(1, 0));
}

Retrieval load_retrieval(nn::Weights& weights, const ConfigView& config) {
  Retrieval blip;
  blip.vision = load_vision(weights, config.sub("vision_config"), {});
  ConfigView text = config.sub("text_config");
  nn::BertShape shape = nn::bert_shape(text, {.num_heads = 8});
  shape.context_width = blip.vision.width();
  blip.embeddings = nn::bert_embeddings(weights,
                                        "text_encoder.embeddings.",
                                        text.positive("vocab_size", 30524),
                                        text.positive("max_position_embeddings", 512),
                                        /*num_types=*/0,
                                        shape);
  blip.layers = nn::bert_layers(
      weights, "text_encoder.encoder.layer.", text.layers("num_hidden_layers", 12), shape);
  int64_t joint = config.positive("image_text_hidden_size", 256);
  blip.itm_head = weights.linear("itm_head", 2, shape.width);
  blip.vision_projection = weights.linear("vision_proj", joint, blip.vision.width());
  blip.text_projection = weights.linear("text_proj", joint, shape.width);
  return blip;
}

}  // namespace snellen::models::blip
