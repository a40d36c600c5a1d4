// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/weights.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "snellen/base/error.h"
#include "snellen/models/nn/convert.h"

namespace snellen::models::nn {
namespace {

at::ScalarType scalar_type_of(ElementType type) {
  switch (type) {
    case ElementType::kF64:
      return at::kDouble;
    case ElementType::kF32:
      return at::kFloat;
    case ElementType::kF16:
      return at::kHalf;
    case ElementType::kBF16:
      return at::kBFloat16;
    case ElementType::kI64:
      return at::kLong;
    case ElementType::kI32:
      return at::kInt;
    case ElementType::kI16:
      return at::kShort;
    case ElementType::kI8:
      return at::kChar;
    case ElementType::kU8:
      return at::kByte;
    case ElementType::kBool:
      return at::kBool;
  }
  return at::kFloat;
}

// A tensor over the mapped bytes; they are only ever read.
at::Tensor over_file(const StoredTensorView& stored) {
  void* bytes = const_cast<char*>(
      stored.bytes.data());  // NOLINT(cppcoreguidelines-pro-type-const-cast): read only
  return at::from_blob(bytes, stored.shape, stored.strides, scalar_type_of(stored.type));
}

std::string join(std::span<const int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape.begin(), shape.end(), ", "));
}

}  // namespace

Weights::Weights(const Checkpoint& checkpoint,
                 const NetworkOptions& options,
                 std::vector<std::string> base_prefixes)
    : checkpoint_(checkpoint),
      options_(
          at::TensorOptions(at::Device(options.device)).dtype(nn::scalar_type_of(options.dtype))),
      base_prefixes_(std::move(base_prefixes)) {}

const StoredTensorView* Weights::find(const std::string& name, std::string* found_as) const {
  std::vector<std::string> candidates = {name};
  for (const std::string& prefix : base_prefixes_) {
    if (name.starts_with(prefix)) candidates.push_back(name.substr(prefix.size()));
    candidates.push_back(prefix + name);
  }
  for (const std::string& candidate : candidates) {
    if (const StoredTensorView* stored = checkpoint_.weights().find(candidate)) {
      if (found_as) *found_as = candidate;
      return stored;
    }
  }
  return nullptr;
}

bool Weights::has(const std::string& name) const {
  return find(name) != nullptr;
}

std::vector<int64_t> Weights::shape_of(const std::string& name) const {
  const StoredTensorView* stored = find(name);
  if (!stored) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("the weights lack {}", name),
                checkpoint_.folder().string(),
                "is the checkpoint whole, and of the class its config.json names?"};
  }
  return stored->shape;
}

at::Tensor Weights::read(const std::string& name,
                         std::initializer_list<int64_t> shape,
                         at::ScalarType type) {
  std::vector<int64_t> got = shape_of(name);
  std::vector<int64_t> want = shape;
  if (got != want) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} has shape {}, the config asks for {}", name, join(got), join(want)),
                checkpoint_.folder().string(),
                "config.json and the weights are not of one model"};
  }
  std::string found_as;
  const StoredTensorView* stored = find(name, &found_as);
  used_.insert(found_as);
  at::Tensor tensor = over_file(*stored)
                          .to(options_.dtype(type), /*non_blocking=*/false, /*copy=*/true)
                          .contiguous();
  // One pass that reads every number; an infinite sum may still come of finite ones.
  bool is_finite = std::isfinite(tensor.sum(at::kFloat).item<float>()) ||
                   at::isfinite(tensor).all().item<bool>();
  if (!is_finite) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} holds a number that is not finite", name),
                checkpoint_.folder().string(),
                "the checkpoint is damaged: take it again"};
  }
  return tensor;
}

at::Tensor Weights::take(const std::string& name, std::initializer_list<int64_t> shape) {
  return read(name, shape, c10::typeMetaToScalarType(options_.dtype()));
}

at::Tensor Weights::take_float(const std::string& name, std::initializer_list<int64_t> shape) {
  return read(name, shape, at::kFloat);
}

double Weights::take_number(const std::string& name) {
  std::vector<int64_t> shape = shape_of(name);
  for (int64_t size : shape) {
    if (size == 1) continue;
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} has shape {}, expected one number", name, join(shape)),
                checkpoint_.folder().string()};
  }
  std::string found_as;
  const StoredTensorView* stored = find(name, &found_as);
  used_.insert(found_as);
  double value = over_file(*stored).to(at::kDouble).sum().item<double>();
  if (std::isfinite(value)) return value;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("{} is {}", name, value),
              checkpoint_.folder().string()};
}

Linear Weights::linear(const std::string& name, int64_t out, int64_t in, bool has_bias) {
  Linear linear{.weight = take(name + ".weight", {out, in}), .bias = {}};
  if (has_bias) linear.bias = take(name + ".bias", {out});
  return linear;
}

Linear Weights::merged(std::initializer_list<std::string> names,
                       int64_t out_each,
                       int64_t in,
                       bool has_bias) {
  std::vector<at::Tensor> rows, biases;
  for (const std::string& name : names) {
    Linear part = linear(name, out_each, in, has_bias);
    rows.push_back(part.weight);
    if (has_bias) biases.push_back(part.bias);
  }
  return {.weight = at::cat(rows), .bias = has_bias ? at::cat(biases) : at::Tensor()};
}

LayerNorm Weights::layer_norm(const std::string& name, int64_t width, double eps) {
  return {
      .weight = take(name + ".weight", {width}), .bias = take(name + ".bias", {width}), .eps = eps};
}

PatchEmbedding Weights::patch_embedding(const std::string& name,
                                        int64_t width,
                                        int64_t patch,
                                        bool has_bias) {
  PatchEmbedding embedding;
  embedding.patch = patch;
  embedding.projection.weight =
      take(name + ".weight", {width, 3, patch, patch}).view({width, 3 * patch * patch});
  if (has_bias) embedding.projection.bias = take(name + ".bias", {width});
  return embedding;
}

std::vector<std::string> Weights::unused() const {
  std::vector<std::string> names;
  for (const std::string& name : checkpoint_.weights().names()) {
    if (!used_.contains(name)) names.push_back(name);
  }
  return names;
}

PreNormBlock pre_norm_block(Weights& weights,
                            const std::string& prefix,
                            const BlockNames& names,
                            const BlockShape& shape) {
  PreNormBlock block;
  int64_t width = shape.width;
  block.norm1 = weights.layer_norm(prefix + names.norm1, width, shape.eps);
  block.attention.qkv =
      names.qkv.empty() ? weights.merged({prefix + names.q, prefix + names.k, prefix + names.v},
                                         width,
                                         width,
                                         shape.has_qkv_bias)
                        : weights.linear(prefix + names.qkv, 3 * width, width, shape.has_qkv_bias);
  block.attention.out = weights.linear(prefix + names.out, width, width);
  block.attention.num_heads = shape.num_heads;
  block.norm2 = weights.layer_norm(prefix + names.norm2, width, shape.eps);
  block.mlp = {.in = weights.linear(prefix + names.mlp_in, shape.mlp_width, width),
               .out = weights.linear(prefix + names.mlp_out, width, shape.mlp_width),
               .activation = shape.activation};
  return block;
}

std::vector<PreNormBlock> pre_norm_blocks(Weights& weights,
                                          const std::string& layers_prefix,
                                          int64_t num_layers,
                                          const BlockNames& names,
                                          const BlockShape& shape) {
  std::vector<PreNormBlock> blocks;
  for (int64_t i = 0; i < num_layers; ++i)
    blocks.push_back(pre_norm_block(weights, fmt::format("{}{}.", layers_prefix, i), names, shape));
  return blocks;
}

SelfAttention multihead_attention(Weights& weights,
                                  const std::string& name,
                                  int64_t width,
                                  int64_t num_heads) {
  SelfAttention attention;
  attention.qkv = {.weight = weights.take(name + ".in_proj_weight", {3 * width, width}),
                   .bias = weights.take(name + ".in_proj_bias", {3 * width})};
  attention.out = weights.linear(name + ".out_proj", width, width);
  attention.num_heads = num_heads;
  return attention;
}

}  // namespace snellen::models::nn
