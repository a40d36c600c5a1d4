// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>

#include "snellen/models/checkpoint/checkpoint.h"
#include "snellen/models/network.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/cuda/captured_forward.h"
#include "snellen/models/nn/weights.h"

namespace snellen::models::nn {

// What every network holds besides its layers. A constructor loads them and closes with settle().
class NetworkBase : public Network {
 public:
  const NetworkFacts& facts() const final { return facts_; }
  std::span<const std::string> unused_weights() const final { return unused_; }

 protected:
  void settle(const Weights& weights, NetworkFacts facts) {
    options_ = weights.options();
    unused_ = weights.unused();
    facts_ = std::move(facts);
    captures_ = weights.captures();
    facts_.is_row_exact = weights.is_row_exact();
  }

  // Device and type of weights and activations.
  const at::TensorOptions& options() const { return options_; }
  // [count, 3, height, width]; throws kInvalidInput for a size the facts do not allow.
  at::Tensor pixels_of(const PixelsView& pixels) const {
    return to_tensor(pixels, options_, facts_.image_size, facts_.image_size);
  }
  // What the picture's tower makes of pixels, captured where that pays. A trace sees layers, so
  // nothing is captured then. The tower must be the same in every call.
  template <typename Tower>
  at::Tensor run_tower(const PixelsView& pixels, const Trace* trace, const Tower& tower) const {
    at::Tensor input = pixels_of(pixels);
    return trace || !captures_ ? tower(input) : captured_(input, tower);
  }

 private:
  at::TensorOptions options_;
  bool captures_ = true;
  cuda::CapturedForward captured_;
  NetworkFacts facts_;
  std::vector<std::string> unused_;
};

// The catalogue entry of a network made from (checkpoint, options). A network that is known by more
// than its model type says so in a static reads(checkpoint).
template <typename NetworkT>
class ArchitectureOf final : public Architecture {
 public:
  explicit ArchitectureOf(ArchitectureFacts facts) : facts_(std::move(facts)) {}

  const ArchitectureFacts& facts() const override { return facts_; }
  bool reads(const Checkpoint& checkpoint) const override {
    if constexpr (requires { NetworkT::reads(checkpoint); }) {
      return NetworkT::reads(checkpoint);
    } else {
      return Architecture::reads(checkpoint);
    }
  }
  std::unique_ptr<Network> load(const Checkpoint& checkpoint,
                                const NetworkOptions& options) const override {
    return std::make_unique<NetworkT>(checkpoint, options);
  }

 private:
  ArchitectureFacts facts_;
};

template <typename NetworkT>
std::unique_ptr<Architecture> architecture_of(ArchitectureFacts facts) {
  return std::make_unique<ArchitectureOf<NetworkT>>(std::move(facts));
}

}  // namespace snellen::models::nn
