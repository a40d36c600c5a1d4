// SPDX-License-Identifier: Apache-2.0
// The layers every architecture is made of: weights and a pure function of them, so that the same
// code serves inference and training. Tensors are float32, bfloat16 or float16, on any device.
#pragma once

#include <string_view>

#include <ATen/ATen.h>

namespace snellen::models::nn {

enum class Activation { kGelu, kGeluTanh, kQuickGelu, kRelu, kSilu };

// By the names of config.json; throws kInvalidInput for any other.
Activation activation_of(std::string_view name);
std::string_view name_of(Activation activation);
at::Tensor activate(Activation activation, const at::Tensor& x);

// y = x W^T + b. On the CPU a product never has fewer than 16 rows: with 3 and fewer another kernel
// runs, and a row's bits would depend on its neighbours.
struct Linear {
  at::Tensor weight;  // [out, in]
  at::Tensor bias;    // [out], or undefined

  at::Tensor operator()(const at::Tensor& x) const;
};

struct LayerNorm {
  at::Tensor weight;  // [width], or undefined for ones
  at::Tensor bias;    // [width], or undefined for zeros
  double eps = 1e-5;

  at::Tensor operator()(const at::Tensor& x) const;
};

// Two products with an activation between them.
struct Mlp {
  Linear in;
  Linear out;
  Activation activation = Activation::kGelu;

  at::Tensor operator()(const at::Tensor& x) const;
};

// Squares of non-overlapping patches as rows of a product: [n, 3, H, W] -> [n, patches, width] in
// row-major order. As a convolution does, it leaves out what is no whole patch at the right and
// below (SigLIP so400m: 384 pixels, patches of 14). Throws kInvalidInput when there is none.
struct PatchEmbedding {
  Linear projection;  // weight [width, 3 * patch * patch]
  int64_t patch = 0;

  at::Tensor operator()(const at::Tensor& pixels) const;
};

// Rows divided by their length.
at::Tensor l2_normalized(const at::Tensor& x);

// a b^T for rows of embeddings in float32, in tiles of 64 x 64 padded with zeros, so that a score's
// bits depend on its two rows alone.
at::Tensor tiled_product(const at::Tensor& a, const at::Tensor& b);

}  // namespace snellen::models::nn
