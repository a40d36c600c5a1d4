// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/parameters.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/float_elements.h"
#include "snellen/models/checkpoint/safetensors_writer.h"

namespace snellen::training {
namespace {

namespace fs = std::filesystem;

constexpr auto kWeightFiles = std::to_array<const char*>({"model.safetensors",
                                                          "model.safetensors.index.json",
                                                          "pytorch_model.bin",
                                                          "pytorch_model.bin.index.json"});

bool has_weights(const fs::path& folder) {
  return std::any_of(kWeightFiles.begin(), kWeightFiles.end(), [&](const char* name) {
    std::error_code ignored;
    return fs::exists(folder / name, ignored);
  });
}

}  // namespace

Parameters::Parameters(const fs::path& folder, at::Device device, InitialValue initial_value)
    : folder_(folder), device_(device), initial_value_(std::move(initial_value)) {
  if (has_weights(folder)) files_ = std::make_unique<const models::WeightFiles>(folder);
}

bool Parameters::has(const std::string& name) const {
  return values_.contains(name) || (files_ && files_->find(name));
}

at::Tensor Parameters::made(const std::string& name, const std::vector<int64_t>& shape) const {
  if (!files_) return initial_value_(name, shape);
  const models::StoredTensorView* stored = files_->find(name);
  if (!stored) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("the weights lack {}", name),
                folder_.string(),
                "is the checkpoint whole, and of the class its config.json names?"};
  }
  if (stored->shape != shape) {
    throw Error{ErrorCode::kInvalidInput,
                fmt::format("{} has shape {}, the config asks for {}",
                            name,
                            models::shape_text(stored->shape),
                            models::shape_text(shape)),
                folder_.string()};
  }
  std::vector<float> values = models::floats_of(*stored);
  return at::tensor(values, at::kFloat).view(shape);
}

at::Tensor Parameters::parameter(const std::string& name, at::IntArrayRef shape) {
  auto found = values_.find(name);
  if (found == values_.end()) {
    at::Tensor value = made(name, shape.vec());
    if (!at::isfinite(value).all().item<bool>()) {
      throw Error{ErrorCode::kInvalidInput,
                  fmt::format("{} holds a number that is not finite", name),
                  folder_.string()};
    }
    found = values_.emplace(name, value.to(device_).contiguous()).first;
  }
  SNELLEN_CHECK(found->second.sizes() == shape);
  return found->second;
}

std::vector<Parameters::Named> Parameters::all() const {
  std::vector<Named> named;
  for (const auto& [name, value] : values_) named.push_back({name, value});
  return named;
}

void Parameters::write(const fs::path& file,
                       models::ElementType type,
                       const std::map<std::string, at::Tensor>& values) const {
  std::vector<models::PlannedTensor> plan;
  for (const auto& [name, value] : values_) plan.push_back({name, type, value.sizes().vec()});
  for (const std::string& name : files_ ? files_->names() : std::vector<std::string>()) {
    if (values_.contains(name)) continue;
    const models::StoredTensorView& stored = *files_->find(name);
    plan.push_back({name, models::is_floating(stored.type) ? type : stored.type, stored.shape});
  }
  models::SafetensorsWriter writer(file, std::move(plan));
  for (const models::PlannedTensor& tensor : writer.tensors()) {
    auto found = values.find(tensor.name);
    if (found != values.end()) {
      writer.write(stored_bytes(found->second, tensor.type));
      continue;
    }
    const models::StoredTensorView& stored = *files_->find(tensor.name);
    SNELLEN_CHECK(models::is_floating(stored.type) || stored.is_contiguous());
    writer.write(models::is_floating(stored.type)
                     ? models::bytes_of(models::floats_of(stored), tensor.type)
                     : std::string(stored.bytes));
  }
  writer.commit();
}

std::string stored_bytes(const at::Tensor& value, models::ElementType type) {
  at::Tensor plain = value.detach().to(at::TensorOptions(at::kCPU).dtype(at::kFloat)).contiguous();
  return models::bytes_of({plain.data_ptr<float>(), static_cast<size_t>(plain.numel())}, type);
}

}  // namespace snellen::training
