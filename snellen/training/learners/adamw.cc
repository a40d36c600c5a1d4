// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/adamw.h"

#include <algorithm>

#include <ATen/core/grad_mode.h>

#include "snellen/base/error.h"

namespace snellen::training {

AdamW::AdamW(std::vector<Parameters::Named> parameters, const LearnerOptions& options)
    : options_(options), parameters_(std::move(parameters)) {
  auto first_vector = std::stable_partition(
      parameters_.begin(), parameters_.end(), [](const Parameters::Named& named) {
        return named.value.dim() >= 2;
      });
  num_decaying_ = static_cast<size_t>(first_vector - parameters_.begin());
  for (const Parameters::Named& named : parameters_) {
    SNELLEN_CHECK(named.value.requires_grad() && named.value.scalar_type() == at::kFloat);
    at::Tensor value = named.value.detach();  // shares its numbers
    values_.push_back(value);
    means_.push_back(at::zeros_like(value));
    squares_.push_back(at::zeros_like(value));
    steps_.push_back(at::zeros({}, value.options()));
    if (options.ema_decay > 0) averages_.push_back(value.clone());
  }
}

std::vector<at::Tensor> AdamW::gradients() const {
  std::vector<at::Tensor> gradients;
  gradients.reserve(parameters_.size());
  for (const Parameters::Named& named : parameters_) {
    const at::Tensor& gradient = named.value.grad();
    gradients.push_back(gradient.defined() ? gradient : at::zeros_like(named.value));
  }
  return gradients;
}

double AdamW::gradient_norm() const {
  std::vector<at::Tensor> norms = at::_foreach_norm(gradients(), 2);
  return at::stack(norms).norm().item<double>();
}

void AdamW::step(double learning_rate, double norm) {
  at::NoGradGuard guard;
  std::vector<at::Tensor> all = gradients();
  // As torch.nn.utils.clip_grad_norm_.
  double factor = options_.max_gradient_norm > 0 ? options_.max_gradient_norm / (norm + 1e-6) : 1;
  if (factor < 1) at::_foreach_mul_(all, factor);
  at::_foreach_add_(steps_, 1);
  auto update = [&](size_t begin, size_t count, double decay) {
    auto part = [&](std::vector<at::Tensor>& tensors) {
      return at::TensorList(tensors.data() + begin, count);
    };
    if (count == 0) return;
    at::_fused_adamw_(part(values_),
                      part(all),
                      part(means_),
                      part(squares_),
                      /*max_exp_avg_sqs=*/{},
                      part(steps_),
                      learning_rate,
                      options_.beta1,
                      options_.beta2,
                      decay,
                      options_.eps,
                      /*amsgrad=*/false,
                      /*maximize=*/false);
  };
  update(0, num_decaying_, options_.weight_decay);
  update(num_decaying_, parameters_.size() - num_decaying_, /*decay=*/0);
  if (!averages_.empty()) {
    // Early averages forget the weights that training began with.
    auto made = static_cast<double>(num_steps_);
    double decay = std::min(options_.ema_decay, (1 + made) / (10 + made));
    at::_foreach_lerp_(averages_, values_, 1 - decay);
  }
  ++num_steps_;
  clear_gradients();
}

void AdamW::clear_gradients() {
  for (const Parameters::Named& named : parameters_) {
    at::Tensor value = named.value;
    value.mutable_grad().reset();
  }
}

void AdamW::show(const std::vector<at::Tensor>& tensors) const {
  if (averages_.empty()) return;
  for (size_t i = 0; i < parameters_.size(); ++i) parameters_[i].value.set_data(tensors[i]);
}

std::map<std::string, at::Tensor> AdamW::averages() const {
  std::map<std::string, at::Tensor> averages;
  for (size_t i = 0; i < averages_.size(); ++i) averages.emplace(parameters_[i].name, averages_[i]);
  return averages;
}

std::map<std::string, at::Tensor> AdamW::state() const {
  std::map<std::string, at::Tensor> state;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    state.emplace("mean." + parameters_[i].name, means_[i]);
    state.emplace("square." + parameters_[i].name, squares_[i]);
    if (!averages_.empty()) state.emplace("average." + parameters_[i].name, averages_[i]);
  }
  return state;
}

void AdamW::set_num_steps(uint64_t num_steps) {
  num_steps_ = num_steps;
  for (at::Tensor& step : steps_) step.fill_(static_cast<double>(num_steps));
}

}  // namespace snellen::training
