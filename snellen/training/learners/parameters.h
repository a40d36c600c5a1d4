// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "snellen/models/checkpoint/tensor_view.h"
#include "snellen/models/checkpoint/weight_files.h"
#include "snellen/models/nn/weights.h"

namespace snellen::training {

// A new weight's value, float32 on the CPU.
using InitialValue =
    std::function<at::Tensor(const std::string& name, const std::vector<int64_t>& shape)>;

// The weights of a model in training: float32 on the device, by their published names. Each is
// taken from the folder's weight files, or drawn, when a network first asks for it. One thread at a
// time.
class Parameters final : public models::nn::ParameterSource {
 public:
  // A folder without weight files gives none.
  Parameters(const std::filesystem::path& folder, at::Device device, InitialValue initial_value);

  bool has(const std::string& name) const override;
  at::Tensor parameter(const std::string& name, at::IntArrayRef shape) override;

  struct Named {
    std::string name;
    at::Tensor value;
  };
  // By name, those that networks asked for.
  std::vector<Named> all() const;

  // `values` may hold others of the same shapes (a moving average). Weights of the folder that no
  // network asked for are written as they are.
  void write(const std::filesystem::path& file,
             models::ElementType type,
             const std::map<std::string, at::Tensor>& values) const;

 private:
  at::Tensor made(const std::string& name, const std::vector<int64_t>& shape) const;

  std::filesystem::path folder_;
  at::Device device_;
  InitialValue initial_value_;
  std::unique_ptr<const models::WeightFiles> files_;  // null without weight files
  std::map<std::string, at::Tensor> values_;
};

// Values of a tensor as the bytes of a file.
std::string stored_bytes(const at::Tensor& value, models::ElementType type);

}  // namespace snellen::training
