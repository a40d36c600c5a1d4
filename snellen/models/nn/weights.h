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
#include "snellen/models/nn/layers.h"

namespace snellen::models::nn {

// Weights that are being trained, by their published names: what a network is made of at each step.
class ParameterSource {
 public:
  virtual ~ParameterSource() = default;
  virtual bool has(const std::string& name) const = 0;
  // The parameter in float32, with its gradient's history where it has one. Throws kInvalidInput
  // for another shape than it has.
  virtual at::Tensor parameter(const std::string& name, at::IntArrayRef shape) = 0;
};

// Weights of a checkpoint as tensors on the device and in the type asked for, each copied once. A
// weight that is missing, has another shape or holds a number that is not finite throws
// kInvalidInput with its name. Names are tried as they are, then with and without each base prefix
// (docs/spec/models.md 1.4).
class Weights {
 public:
  Weights(const Checkpoint& checkpoint,
          const NetworkOptions& options,
          std::vector<std::string> base_prefixes = {});
  // Weights in training: differentiable, cast to the type of `options` where they are used. A name
  // that is new gets `base_prefix`.
  Weights(ParameterSource& parameters,
          const at::TensorOptions& options,
          const std::string& base_prefix = {});

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

  // Weights taken while it lives stay float32, whatever type was asked for.
  class InFloat {
   public:
    explicit InFloat(Weights& weights) : weights_(weights), before_(weights.options_) {
      weights.options_ = before_.dtype(at::kFloat);
    }
    ~InFloat() { weights_.options_ = before_; }
    InFloat(const InFloat&) = delete;
    InFloat& operator=(const InFloat&) = delete;

   private:
    Weights& weights_;
    at::TensorOptions before_;
  };

  const at::TensorOptions& options() const { return options_; }
  bool captures() const { return captures_; }
  // Whether a row's bits on the CPU depend on it alone (NetworkFacts::is_row_exact).
  bool is_row_exact() const { return is_row_exact_; }
  // Told by layers whose library looks at the whole batch.
  void mark_batch_dependent() { is_row_exact_ = false; }
  // What nobody took, sorted; buffers that are never weights are left out.
  std::vector<std::string> unused() const;

 private:
  const StoredTensorView* find(const std::string& name, std::string* found_as = nullptr) const;
  at::Tensor parameter(const std::string& name, std::initializer_list<int64_t> shape) const;
  // The weight in its file, which must have this shape; it counts as used from here on.
  const StoredTensorView& use(const std::string& name, std::initializer_list<int64_t> shape);
  // Copies it and gives its pages back.
  void copy(const std::string& name, const StoredTensorView& stored, const at::Tensor& to) const;
  at::Tensor read(const std::string& name,
                  std::initializer_list<int64_t> shape,
                  at::ScalarType type);

  const Checkpoint* checkpoint_ = nullptr;  // one of the two
  ParameterSource* parameters_ = nullptr;
  bool captures_ = false;
  bool is_row_exact_ = true;
  at::TensorOptions options_;
  std::vector<std::string> base_prefixes_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace snellen::models::nn
