// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/vision_transformer.h"

#include <limits>

#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/fused.h"

namespace snellen::models::nn {

at::Tensor VisionTransformer::embed(const at::Tensor& pixels) const {
  at::Tensor x = patches(pixels);
  if (class_token.defined()) {
    at::Tensor first = class_token.view({1, 1, -1}).expand({x.size(0), 1, x.size(2)});
    x = at::cat({first, x}, 1);
  }
  return x + positions;
}

at::Tensor VisionTransformer::first_states(const at::Tensor& pixels,
                                           Trace* trace,
                                           std::string_view tower,
                                           bool traces_after_norm) const {
  at::Tensor x = embed(pixels);
  if (!traces_after_norm) record(trace, tower, 0, x.narrow(0, 0, 1));
  if (pre_norm) x = (*pre_norm)(x);
  if (traces_after_norm) record(trace, tower, 0, x.narrow(0, 0, 1));
  return x;
}

at::Tensor VisionTransformer::operator()(const at::Tensor& pixels,
                                         Trace* trace,
                                         std::string_view tower,
                                         bool traces_after_norm) const {
  return run_blocks(
      blocks, first_states(pixels, trace, tower, traces_after_norm), {}, trace, tower);
}

at::Tensor VisionTransformer::pooled(const at::Tensor& pixels,
                                     Trace* trace,
                                     bool traces_after_norm) const {
  return run_blocks_pooled(
      blocks, first_states(pixels, trace, "vision", traces_after_norm), {}, {}, trace, "vision");
}

at::Tensor run_blocks(std::span<const PreNormBlock> blocks,
                      at::Tensor x,
                      const AttentionMask& mask,
                      Trace* trace,
                      std::string_view tower,
                      int64_t traced_length) {
  // The sum that ends a layer is normed for the next one in the same pass.
  at::Tensor normed;
  if (!blocks.empty()) normed = blocks[0].norm1(x);
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto [y, normed_y] = add_norm(x, blocks[i].attention(normed, mask), blocks[i].norm2);
    at::Tensor z = blocks[i].mlp(normed_y);
    if (i + 1 < blocks.size()) {
      cuda::Summed both = add_norm(y, z, blocks[i + 1].norm1);
      x = both.sum;
      normed = both.normed;
    } else {
      x = y + z;
    }
    if (trace) {
      at::Tensor first = x.narrow(0, 0, 1);
      record(trace, tower, i + 1, traced_length > 0 ? first.narrow(1, 0, traced_length) : first);
    }
  }
  return x;
}

namespace {

at::Tensor chosen_rows(const at::Tensor& x, const at::Tensor& chosen) {
  if (!chosen.defined()) return x.select(1, 0);
  return x.index({at::arange(x.size(0), chosen.options()), chosen});
}

// What a causal mask shows to one token: the keys up to itself.
at::Tensor keys_up_to(const at::Tensor& chosen, const at::Tensor& x) {
  at::Tensor later = at::arange(x.size(1), chosen.options()).unsqueeze(0) > chosen.unsqueeze(1);
  return at::zeros({x.size(0), x.size(1)}, x.options())
      .masked_fill(later, -std::numeric_limits<double>::infinity())
      .view({x.size(0), 1, 1, x.size(1)});
}

}  // namespace

at::Tensor run_blocks_pooled(std::span<const PreNormBlock> blocks,
                             const at::Tensor& x,
                             const AttentionMask& mask,
                             const at::Tensor& chosen,
                             Trace* trace,
                             std::string_view tower,
                             int64_t traced_length) {
  if (trace || blocks.empty() || (mask.is_causal && mask.hidden_keys.defined()))
    return chosen_rows(run_blocks(blocks, x, mask, trace, tower, traced_length), chosen);
  const PreNormBlock& last = blocks.back();
  at::Tensor before = run_blocks(blocks.first(blocks.size() - 1), x, mask, nullptr, tower);
  at::Tensor normed = last.norm1(before);
  AttentionMask shown = mask;
  if (mask.is_causal) {
    at::Tensor tokens =
        chosen.defined() ? chosen : at::zeros({x.size(0)}, x.options().dtype(at::kLong));
    shown = {.hidden_keys = keys_up_to(tokens, before), .is_causal = false};
  }
  at::Tensor attended = last.attention.of(chosen_rows(normed, chosen).unsqueeze(1), normed, shown);
  auto [y, normed_y] = add_norm(chosen_rows(before, chosen), attended.squeeze(1), last.norm2);
  return y + last.mlp(normed_y);
}

}  // namespace snellen::models::nn
