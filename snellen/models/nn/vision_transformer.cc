// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/vision_transformer.h"

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

at::Tensor VisionTransformer::operator()(const at::Tensor& pixels,
                                         Trace* trace,
                                         std::string_view tower,
                                         bool traces_after_norm) const {
  at::Tensor x = embed(pixels);
  if (!traces_after_norm) record(trace, tower, 0, x.narrow(0, 0, 1));
  if (pre_norm) x = (*pre_norm)(x);
  if (traces_after_norm) record(trace, tower, 0, x.narrow(0, 0, 1));
  return run_blocks(blocks, x, {}, trace, tower);
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

}  // namespace snellen::models::nn
