// SPDX-License-Identifier: Apache-2.0
#include "snellen/models/nn/weights.h"

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/weight_names.h"
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

}  // namespace

Weights::Weights(const Checkpoint& checkpoint,
                 const NetworkOptions& options,
                 std::vector<std::string> base_prefixes)
    : checkpoint_(&checkpoint),
      options_(
          at::TensorOptions(device_of(options.device)).dtype(nn::scalar_type_of(options.dtype))),
      base_prefixes_(std::move(base_prefixes)) {
  captures_ = options.captures_graphs;
  if (base_prefixes_.empty()) base_prefixes_.emplace_back();
}

Weights::Weights(ParameterSource& parameters,
                 const at::TensorOptions& options,
                 const std::string& base_prefix)
    : parameters_(&parameters), options_(options), base_prefixes_({base_prefix}) {}

at::Tensor Weights::parameter(const std::string& name, std::initializer_list<int64_t> shape) const {
  const std::string& prefix = base_prefixes_.front();
  bool is_plain = prefix.empty() || name.starts_with(prefix) || parameters_->has(name);
  return parameters_->parameter(is_plain ? name : prefix + name, shape);
}

const StoredTensorView* Weights::find(const std::string& name, std::string* found_as) const {
  // With no prefix the name itself is the one candidate.
  for (const std::string& prefix : base_prefixes_) {
    for (std::string& candidate : with_and_without_prefix(name, prefix)) {
      if (const StoredTensorView* stored = checkpoint_->weights().find(candidate)) {
        if (found_as) *found_as = std::move(candidate);
        return stored;
      }
    }
  }
  return nullptr;
}

bool Weights::has(const std::string& name) const {
  if (parameters_) return parameters_->has(name) || parameters_->has(base_prefixes_.front() + name);
  return find(name) != nullptr;
}

std::vector<int64_t> Weights::shape_of(const std::string& name) const {
  SNELLEN_CHECK(checkpoint_ != nullptr);
  const StoredTensorView* stored = find(name);
  if (!stored) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("the weights lack {}", name),
                checkpoint_->folder().string(),
                "is the checkpoint whole, and of the class its config.json names?"};
  }
  return stored->shape;
}

const StoredTensorView& Weights::use(const std::string& name,
                                     std::initializer_list<int64_t> shape) {
  // Elementwise steps run over whole vectors of 16 floats and finish the rest another way: rows of
  // another width would have bits that depend on their place. A head of one or two numbers is last.
  if (shape.size() == 1 && *shape.begin() > 2 && *shape.begin() % 16 != 0) is_row_exact_ = false;
  std::vector<int64_t> got = shape_of(name);
  std::vector<int64_t> want = shape;
  if (got != want) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format(
            "{} has shape {}, the config asks for {}", name, shape_text(got), shape_text(want)),
        checkpoint_->folder().string(),
        "config.json and the weights are not of one model"};
  }
  std::string found_as;
  const StoredTensorView* stored = find(name, &found_as);
  used_.insert(found_as);
  return *stored;
}

void Weights::copy(const std::string& name,
                   const StoredTensorView& stored,
                   const at::Tensor& to) const {
  to.copy_(over_file(stored));
  checkpoint_->weights().release(stored);
  // One pass that reads every number; an infinite sum may still come of finite ones.
  if (std::isfinite(to.sum(at::kFloat).item<float>()) || at::isfinite(to).all().item<bool>())
    return;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("{} holds a number that is not finite", name),
              checkpoint_->folder().string(),
              "the checkpoint is damaged: take it again"};
}

at::Tensor Weights::read(const std::string& name,
                         std::initializer_list<int64_t> shape,
                         at::ScalarType type) {
  if (parameters_) return parameter(name, shape).to(type);
  const StoredTensorView& stored = use(name, shape);
  at::Tensor tensor = at::empty(stored.shape, options_.dtype(type));
  copy(name, stored, tensor);
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
                fmt::format("{} has shape {}, expected one number", name, shape_text(shape)),
                checkpoint_->folder().string()};
  }
  std::string found_as;
  const StoredTensorView* stored = find(name, &found_as);
  used_.insert(found_as);
  double value = over_file(*stored).to(at::kDouble).sum().item<double>();
  if (std::isfinite(value)) return value;
  throw Error{ErrorCode::kInvalidInput,
              fmt::format("{} is {}", name, value),
              checkpoint_->folder().string()};
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
  auto joined = [&](const std::string& suffix, std::initializer_list<int64_t> shape) {
    if (parameters_) {
      std::vector<at::Tensor> own;
      for (const std::string& name : names) own.push_back(parameter(name + suffix, shape));
      return at::cat(own).to(options_.dtype());
    }
    // Straight into its place: parts that are joined afterwards would be held twice.
    std::vector<const StoredTensorView*> parts;
    for (const std::string& name : names) parts.push_back(&use(name + suffix, shape));
    std::vector<int64_t> sizes = shape;
    sizes[0] *= static_cast<int64_t>(parts.size());
    at::Tensor all = at::empty(sizes, options_);
    for (size_t i = 0; i < parts.size(); ++i)
      copy(names.begin()[i] + suffix,
           *parts[i],
           all.narrow(0, static_cast<int64_t>(i) * out_each, out_each));
    return all;
  };
  Linear linear{.weight = joined(".weight", {out_each, in}), .bias = {}};
  if (has_bias) linear.bias = joined(".bias", {out_each});
  return linear;
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
  if (parameters_) return names;
  for (const std::string& name : checkpoint_->weights().names()) {
    if (!used_.contains(name)) names.push_back(name);
  }
  return names;
}

}  // namespace snellen::models::nn
