// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/blip2/qformer.h"

#include <fmt/format.h>

#include "snellen/models/nn/convert.h"

namespace snellen::models::blip2 {
namespace {

nn::Mlp load_mlp(nn::Weights& weights,
                 const std::string& in,
                 const std::string& out,
                 const nn::BertShape& shape) {
  return {.in = weights.linear(in + ".dense", shape.mlp_width, shape.width),
          .out = weights.linear(out + ".dense", shape.width, shape.mlp_width),
          .activation = shape.activation};
}

QFormerLayer load_layer(nn::Weights& weights,
                        const std::string& prefix,
                        const nn::BertShape& shape,
                        bool has_cross,
                        bool has_text) {
  QFormerLayer layer;
  int64_t width = shape.width;
  layer.attention = nn::bert_attention(weights, prefix, "attention.attention", shape);
  layer.attention_norm =
      weights.layer_norm(prefix + "attention.output.LayerNorm", width, shape.eps);
  if (has_cross) {
    layer.cross = nn::bert_cross_attention(weights, prefix, "crossattention.attention", shape);
    layer.cross_norm =
        weights.layer_norm(prefix + "crossattention.output.LayerNorm", width, shape.eps);
  }
  layer.query_mlp =
      load_mlp(weights, prefix + "intermediate_query", prefix + "output_query", shape);
  layer.query_norm = weights.layer_norm(prefix + "output_query.LayerNorm", width, shape.eps);
  if (has_text) {
    layer.text_mlp = load_mlp(weights, prefix + "intermediate", prefix + "output", shape);
    layer.text_norm = weights.layer_norm(prefix + "output.LayerNorm", width, shape.eps);
  }
  return layer;
}

at::Tensor run_layer(const QFormerLayer& layer,
                     const at::Tensor& x,
                     int64_t num_queries,
                     const at::Tensor& hidden_keys,
                     const std::optional<nn::KeysAndValues>* context) {
  at::Tensor y = layer.attention_norm(x + layer.attention(x, {.hidden_keys = hidden_keys}));
  std::vector<at::Tensor> parts;
  if (num_queries > 0) {
    at::Tensor q = y.narrow(1, 0, num_queries);
    if (layer.cross) q = layer.cross_norm(q + (*layer.cross)(q, **context));
    parts.push_back(layer.query_norm(q + layer.query_mlp(q)));
  }
  if (y.size(1) > num_queries) {
    at::Tensor t = y.narrow(1, num_queries, y.size(1) - num_queries);
    parts.push_back(layer.text_norm(t + (*layer.text_mlp)(t)));
  }
  return parts.size() == 1 ? parts[0] : at::cat(parts, 1);
}

}  // namespace

QFormerContext QFormer::remember(const at::Tensor& image) const {
  QFormerContext context;
  for (const QFormerLayer& layer : layers) {
    context.emplace_back();
    if (layer.cross) context.back() = layer.cross->remember(image.to(at::kFloat));
  }
  return context;
}

at::Tensor QFormer::operator()(at::Tensor x,
                               int64_t num_queries,
                               const at::Tensor& hidden_keys,
                               const QFormerContext* context,
                               Trace* trace,
                               int64_t traced_length) const {
  auto show = [&](size_t layer) {
    if (trace) nn::record(trace, "qformer", layer, x.narrow(0, 0, 1).narrow(1, 0, traced_length));
  };
  x = norm(x);
  show(0);
  for (size_t i = 0; i < layers.size(); ++i) {
    x = run_layer(layers[i], x, num_queries, hidden_keys, context ? &(*context)[i] : nullptr);
    show(i + 1);
  }
  return x;
}

at::Tensor QFormer::look(const QFormerContext& context, int64_t n, Trace* trace) const {
  return (*this)(queries.expand({n, queries.size(1), queries.size(2)}),
                 num_queries(),
                 {},
                 &context,
                 trace,
                 num_queries());
}

QFormer load_qformer(nn::Weights& weights,
                     const ConfigView& config,
                     int64_t num_queries,
                     int64_t vision_width,
                     bool has_text) {
  // Always in float32, as the reference keeps it (docs/spec/models.md 1.6).
  nn::Weights::InFloat in_float(weights);
  QFormer qformer;
  nn::BertShape shape = nn::bert_shape(config);
  shape.context_width = vision_width;
  qformer.queries = weights.take("query_tokens", {1, num_queries, shape.width});
  qformer.norm = weights.layer_norm("qformer.layernorm", shape.width, shape.eps);
  int64_t frequency = config.positive("cross_attention_frequency", 2);
  int64_t num_layers = config.layers("num_hidden_layers", 12);
  for (int64_t i = 0; i < num_layers; ++i) {
    std::string prefix = fmt::format("qformer.encoder.layer.{}.", i);
    qformer.layers.push_back(load_layer(weights, prefix, shape, i % frequency == 0, has_text));
  }
  return qformer;
}

}  // namespace snellen::models::blip2
