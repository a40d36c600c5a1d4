// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <ATen/ATen.h>

#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"
#include "snellen/models/nn/attention.h"
#include "snellen/models/nn/blocks.h"
#include "snellen/models/nn/layers.h"

namespace snellen::models::nn {

// Weights of a checkpoint as tensors on the device and in the type asked for, each copied once. A
// weight that is missing, has another shape or holds a number that is not finite throws
// kInvalidInput with its name. Names are tried as they are, then with and without each base prefix
// (spec/models.md 1.4).
class Weights {
 public:
  Weights(const Checkpoint& checkpoint,
          const NetworkOptions& options,
          std::vector<std::string> base_prefixes = {});

  bool has(const std::string& name) const;
  // The shape in the file; throws when absent.
  std::vector<int64_t> shape_of(const std::string& name) const;
  at::Tensor take(const std::string& name, std::initializer_list<int64_t> shape);
  // As take(), but kept in float32: scales, norms and what stays exact on a device.
  at::Tensor take_float(const std::string& name, std::initializer_list<int64_t> shape);
  // One number, whatever rank it is stored with.
  double take_number(const std::string& name);

  // name.weight [out, in] and name.bias.
  Linear linear(const std::string& name, int64_t out, int64_t in, bool has_bias = true);
  // Several of the same input as one product: rows in the order named.
  Linear merged(std::initializer_list<std::string> names,
                int64_t out_each,
                int64_t in,
                bool has_bias = true);
  LayerNorm layer_norm(const std::string& name, int64_t width, double eps);
  // name.weight [width, 3, patch, patch].
  PatchEmbedding patch_embedding(const std::string& name,
                                 int64_t width,
                                 int64_t patch,
                                 bool has_bias);

  const at::TensorOptions& options() const { return options_; }
  // What nobody took, sorted; buffers that are never weights are left out.
  std::vector<std::string> unused() const;

 private:
  const StoredTensorView* find(const std::string& name, std::string* found_as = nullptr) const;
  at::Tensor read(const std::string& name,
                  std::initializer_list<int64_t> shape,
                  at::ScalarType type);

  const Checkpoint& checkpoint_;
  at::TensorOptions options_;
  std::vector<std::string> base_prefixes_;
  std::set<std::string, std::less<>> used_;
};

// The names inside one transformer layer, as a family writes them.
struct BlockNames {
  std::string norm1;
  std::string q, k, v;  // or
  std::string qkv;      // one product for the three
  std::string out;
  std::string norm2;
  std::string mlp_in;
  std::string mlp_out;
};

struct BlockShape {
  int64_t width = 0;
  int64_t mlp_width = 0;
  int64_t num_heads = 1;
  double eps = 1e-5;
  Activation activation = Activation::kGelu;
  bool has_qkv_bias = true;
};

// `prefix` ends with a dot: "vision_model.encoder.layers.3.".
PreNormBlock pre_norm_block(Weights& weights,
                            const std::string& prefix,
                            const BlockNames& names,
                            const BlockShape& shape);
std::vector<PreNormBlock> pre_norm_blocks(Weights& weights,
                                          const std::string& layers_prefix,
                                          int64_t num_layers,
                                          const BlockNames& names,
                                          const BlockShape& shape);

// torch.nn.MultiheadAttention: name.in_proj_weight, name.in_proj_bias, name.out_proj.
SelfAttention multihead_attention(Weights& weights,
                                  const std::string& name,
                                  int64_t width,
                                  int64_t num_heads);

}  // namespace snellen::models::nn
