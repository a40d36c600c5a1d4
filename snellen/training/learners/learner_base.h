// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "snellen/models/nn/cuda/communicator.h"
#include "snellen/models/nn/text_batch.h"
#include "snellen/training/learner.h"
#include "snellen/training/learners/adamw.h"
#include "snellen/training/learners/parameters.h"

namespace snellen::training {

// What every learner holds: parameters, optimiser, files. A family says how a batch becomes
// gradients; it makes its network anew from weights() each time, so that the code of inference
// serves training.
class LearnerBase : public Learner {
 public:
  StepReport step(std::span<const Batch> batches, double learning_rate) final;
  Evaluation evaluate(const Batch& batch) final;
  uint64_t num_parameters() const final;
  uint64_t num_steps() const final { return optimizer_->num_steps(); }
  void write_weights(const std::filesystem::path& file,
                     models::ElementType type,
                     bool averaged) const final;
  void write_state(const std::filesystem::path& file) const final;
  void read_state(const std::filesystem::path& file, uint64_t num_steps) final;

 protected:
  LearnerBase(const std::filesystem::path& folder,
              const LearnerOptions& options,
              dist::Group& group);

  // Called at the end of a constructor, when the network was made once and all parameters are
  // there.
  void settle();

  // Adds the gradients of `share` times the loss of one batch to the parameters. The parts are of
  // the whole loss.
  virtual std::vector<LossPart> add_gradients(const Batch& batch, double share) = 0;
  // Called without gradients, and with the weights that would be saved.
  virtual Evaluation evaluate_now(const Batch& batch) = 0;

  const LearnerOptions& options() const { return options_; }
  const models::ConfigView& config() const { return config_; }
  dist::Group& group() const { return group_; }
  // Weights for one network, in the type of activations.
  models::nn::Weights weights(const std::string& base_prefix = {});
  // Pictures of a batch as they are on the host, uint8 [count, side, side, 3].
  static at::Tensor picture_bytes(const Batch& batch, int64_t first_picture, int64_t count);
  // Bytes on the device as [count, 3, side, side], normalised.
  at::Tensor normalized(const at::Tensor& bytes) const;
  // Both.
  at::Tensor pixels(const Batch& batch, int64_t first_picture, int64_t count) const;
  // Texts padded to one length, in their order; on the device, or where it is said.
  models::nn::TextBatch texts(std::span<const models::TokenIds> texts,
                              int64_t vocabulary,
                              int64_t max_tokens,
                              std::optional<at::Device> where = std::nullopt) const;
  // The members' rows [n, width] of one count each, by rank; without a history.
  at::Tensor gathered(const at::Tensor& rows);
  // A parameter as it is, float32.
  at::Tensor parameter(const std::string& name, at::IntArrayRef shape);
  // Those that move.
  std::vector<at::Tensor> moving() const;

  const at::TensorOptions& tensors() const { return tensors_; }

 private:
  // Of torch's threads, which whoever opens a network for evaluation sets to one.
  void take_threads() const;
  bool is_trained(const std::string& name) const;
  void join_devices();
  void sum_gradients();
  void limit_scale();

  LearnerOptions options_;
  dist::Group& group_;
  nlohmann::json json_;
  models::ConfigView config_;
  at::TensorOptions tensors_;
  at::Tensor mean_, std_;  // [1, 3, 1, 1] on the device
  Parameters parameters_;
  std::optional<AdamW> optimizer_;
  std::unique_ptr<models::nn::cuda::Communicator> communicator_;  // of a group on GPUs
};

}  // namespace snellen::training
