// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/learner_base.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/models/checkpoint/float_elements.h"
#include "snellen/models/checkpoint/safetensors.h"
#include "snellen/models/checkpoint/safetensors_writer.h"
#include "snellen/models/nn/convert.h"
#include "snellen/models/nn/lengths.h"
#include "snellen/training/learners/initial_values.h"

namespace snellen::training {
namespace {

// CLIP's limit: a scale of 100.
constexpr double kLargestScale = 4.605170185988092;

bool is_vision(const std::string& name) {
  return name.starts_with("vision_model.") || name.starts_with("visual_projection.") ||
         name.starts_with("vision_proj.") || name.starts_with("mit.");
}

// The same numbers again for the same seed: attention on a GPU otherwise adds up its gradients in
// any order.
void choose_deterministic_kernels() {
  ::setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  at::globalContext().setDeterministicFillUninitializedMemory(false);
}

}  // namespace

LearnerBase::LearnerBase(const std::filesystem::path& folder,
                         const LearnerOptions& options,
                         dist::Group& group)
    : options_(options),
      group_(group),
      json_(models::read_config(folder / "config.json")),
      config_(json_, (folder / "config.json").string()),
      tensors_(at::TensorOptions(models::nn::device_of(options.device))
                   .dtype(models::nn::scalar_type_of(options.dtype))),
      parameters_(folder,
                  tensors_.device(),
                  initial_values(config_.text("model_type", ""), config_, options.seed)) {
  if (tensors_.device().is_cuda()) choose_deterministic_kernels();
  auto row = [&](const std::array<double, 3>& values) {
    return at::tensor(std::vector<double>(values.begin(), values.end()), at::kFloat)
        .view({1, 3, 1, 1})
        .to(tensors_.device());
  };
  mean_ = row(options_.mean);
  std_ = row(options_.std);
  join_devices();
}

void LearnerBase::join_devices() {
  using models::nn::cuda::Communicator;
  if (!tensors_.device().is_cuda() || (group_.size() == 1 && !options_.communicates_alone)) return;
  Communicator::Id id = {};
  if (group_.rank() == 0) id = Communicator::new_id();
  group_.broadcast(id);
  communicator_ =
      std::make_unique<Communicator>(id, group_.rank(), group_.size(), tensors_.device());
}

void LearnerBase::settle() {
  std::vector<Parameters::Named> moving;
  for (const Parameters::Named& named : parameters_.all()) {
    if (!is_trained(named.name)) continue;
    named.value.requires_grad_();
    moving.push_back(named);
  }
  optimizer_.emplace(std::move(moving), options_);
}

bool LearnerBase::is_trained(const std::string& name) const {
  switch (options_.trained) {
    case Trained::kAll:
      return true;
    case Trained::kVision:
      return is_vision(name);
    case Trained::kText:
      return !is_vision(name) && name != "logit_scale";
    case Trained::kBoth:
      return name != "logit_scale";
  }
  return true;
}

models::nn::Weights LearnerBase::weights(const std::string& base_prefix) {
  return {parameters_, tensors_, base_prefix};
}

at::Tensor LearnerBase::picture_bytes(const Batch& batch, int64_t first_picture, int64_t count) {
  int64_t picture = batch.side * batch.side * 3;
  SNELLEN_CHECK(static_cast<int64_t>(batch.pixels.size()) ==
                batch.num_visuals * batch.num_frames * picture);
  return at::from_blob(const_cast<uint8_t*>(batch.pixels.data() +  // NOLINT: only read
                                            first_picture * picture),
                       {count, batch.side, batch.side, 3},
                       at::kByte);
}

at::Tensor LearnerBase::normalized(const at::Tensor& bytes) const {
  at::Tensor floats = bytes.permute({0, 3, 1, 2}).to(at::kFloat) / 255;
  return ((floats - mean_) / std_).to(tensors_.dtype()).contiguous();
}

at::Tensor LearnerBase::pixels(const Batch& batch, int64_t first_picture, int64_t count) const {
  return normalized(picture_bytes(batch, first_picture, count).to(tensors_.device()));
}

models::nn::TextBatch LearnerBase::texts(std::span<const models::TokenIds> texts,
                                         int64_t vocabulary,
                                         int64_t max_tokens,
                                         std::optional<at::Device> where) const {
  models::nn::TextBatchOptions batching = models::nn::batching_of(
      vocabulary, max_tokens, tensors_.device(where.value_or(tensors_.device())));
  size_t longest = 1;
  for (const models::TokenIds& text : texts) longest = std::max(longest, text.size());
  batching.fixed_length = models::nn::rounded_up_length(static_cast<int64_t>(longest));
  return models::nn::batches_of(texts, batching).at(0);
}

void LearnerBase::take_threads() const {
  at::set_num_threads(static_cast<int>(options_.num_threads));
}

StepReport LearnerBase::step(std::span<const Batch> batches, double learning_rate) {
  take_threads();
  StepReport report;
  optimizer_->clear_gradients();
  double share = 1.0 / static_cast<double>(batches.size());
  for (const Batch& batch : batches) {
    std::vector<LossPart> parts = add_gradients(batch, share);
    report.parts.resize(parts.size());
    for (size_t i = 0; i < parts.size(); ++i) {
      report.parts[i].name = parts[i].name;
      report.parts[i].value += share * parts[i].value;
    }
  }
  // The first part is the whole.
  report.loss = report.parts.at(0).value;
  report.parts.erase(report.parts.begin());
  sum_gradients();
  report.gradient_norm = optimizer_->gradient_norm();
  report.is_finite = std::isfinite(report.loss) && std::isfinite(report.gradient_norm);
  if (report.is_finite) {
    optimizer_->step(learning_rate, report.gradient_norm);
    limit_scale();
  } else {
    optimizer_->clear_gradients();
  }
  return report;
}

Evaluation LearnerBase::evaluate(const Batch& batch) {
  take_threads();
  at::NoGradGuard guard;
  AdamW::AveragesShown shown(*optimizer_);
  return evaluate_now(batch);
}

at::Tensor LearnerBase::gathered(const at::Tensor& rows) {
  if (communicator_) {
    // Everyone adds its own rows to zeros.
    int64_t count = rows.size(0);
    at::Tensor all = at::zeros({group_.size() * count, rows.size(1)}, rows.options());
    all.narrow(0, group_.rank() * count, count).copy_(rows.detach());
    communicator_->add_up(all);
    return all;
  }
  if (group_.size() == 1) return rows.detach();
  at::Tensor here = rows.detach().cpu().contiguous();
  std::vector<float> all =
      group_.gather({here.data_ptr<float>(), static_cast<size_t>(here.numel())});
  return at::tensor(all, at::kFloat).view({-1, rows.size(1)}).to(rows.device());
}

at::Tensor LearnerBase::parameter(const std::string& name, at::IntArrayRef shape) {
  return parameters_.parameter(name, shape);
}

std::vector<at::Tensor> LearnerBase::moving() const {
  std::vector<at::Tensor> values;
  for (const Parameters::Named& named : optimizer_->parameters()) values.push_back(named.value);
  return values;
}

void LearnerBase::sum_gradients() {
  if (group_.size() == 1 && !communicator_) return;
  std::vector<at::Tensor> gradients;
  for (at::Tensor& value : moving()) {
    if (!value.grad().defined()) value.mutable_grad() = at::zeros_like(value);
    gradients.push_back(value.grad());
  }
  if (gradients.empty()) return;
  // All in one message.
  std::vector<at::Tensor> flat;
  flat.reserve(gradients.size());
  for (const at::Tensor& gradient : gradients) flat.push_back(gradient.reshape(-1));
  at::Tensor all = at::cat(flat);
  if (communicator_) {
    communicator_->add_up(all);
  } else {
    all = all.cpu();
    group_.sum({all.data_ptr<float>(), static_cast<size_t>(all.numel())});
  }
  int64_t first = 0;
  for (at::Tensor& gradient : gradients) {
    gradient.copy_(all.narrow(0, first, gradient.numel()).view(gradient.sizes()));
    first += gradient.numel();
  }
}

void LearnerBase::limit_scale() {
  if (!parameters_.has("logit_scale")) return;
  at::NoGradGuard guard;
  parameters_.parameter("logit_scale", {}).clamp_max_(kLargestScale);
}

uint64_t LearnerBase::num_parameters() const {
  uint64_t count = 0;
  for (const Parameters::Named& named : parameters_.all())
    count += static_cast<uint64_t>(named.value.numel());
  return count;
}

void LearnerBase::write_weights(const std::filesystem::path& file,
                                models::ElementType type,
                                bool averaged) const {
  std::map<std::string, at::Tensor> values;
  for (const Parameters::Named& named : parameters_.all()) values.emplace(named.name, named.value);
  if (averaged) {
    for (auto& [name, value] : optimizer_->averages()) values[name] = value;
  }
  parameters_.write(file, type, values);
}

void LearnerBase::write_state(const std::filesystem::path& file) const {
  std::map<std::string, at::Tensor> state = optimizer_->state();
  std::vector<models::PlannedTensor> plan;
  plan.reserve(state.size());
  for (const auto& [name, value] : state)
    plan.push_back({name, models::ElementType::kF32, value.sizes().vec()});
  models::SafetensorsWriter writer(file, std::move(plan));
  for (const models::PlannedTensor& tensor : writer.tensors())
    writer.write(stored_bytes(state.at(tensor.name), tensor.type));
  writer.commit();
}

void LearnerBase::read_state(const std::filesystem::path& file, uint64_t num_steps) {
  MappedFile mapped(file);
  auto fail = [&](const std::string& what) {
    throw Error{ErrorCode::kInvalidInput,
                what,
                file.string(),
                "the state is of another model, or was written with other options"};
  };
  at::NoGradGuard guard;
  std::map<std::string, at::Tensor> state = optimizer_->state();
  size_t num_read = 0;
  for (const models::NamedTensor& named : models::read_safetensors(mapped.bytes(), file.string())) {
    auto found = state.find(named.name);
    if (found == state.end() || found->second.sizes().vec() != named.tensor.shape)
      fail(fmt::format("{} does not belong to it", named.name));
    std::vector<float> values = models::floats_of(named.tensor);
    found->second.copy_(at::tensor(values, at::kFloat).view(named.tensor.shape));
    ++num_read;
  }
  if (num_read != state.size())
    fail(fmt::format("holds {} tensors, expected {}", num_read, state.size()));
  optimizer_->set_num_steps(num_steps);
}

}  // namespace snellen::training
