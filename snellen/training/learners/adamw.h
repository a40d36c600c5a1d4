// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "snellen/training/learner.h"
#include "snellen/training/learners/parameters.h"

namespace snellen::training {

// AdamW as torch.optim.AdamW computes it, over float32 parameters that have gradients. Moments, and
// the moving average of the weights where one is asked for, live beside it. One thread at a time.
class AdamW {
 public:
  // `parameters` are those that move; each must require a gradient.
  AdamW(std::vector<Parameters::Named> parameters, const LearnerOptions& options);

  // The length of all gradients together; a parameter without one counts as zeros.
  double gradient_norm() const;
  // Moves the parameters and clears their gradients. `norm` is what gradient_norm() gave.
  void step(double learning_rate, double norm);
  void clear_gradients();

  uint64_t num_steps() const { return num_steps_; }
  const std::vector<Parameters::Named>& parameters() const { return parameters_; }
  // Of the weights; empty when none is kept.
  std::map<std::string, at::Tensor> averages() const;

  // While one lives, the parameters hold the averaged weights where such are kept. No step is made
  // meanwhile.
  class AveragesShown {
   public:
    explicit AveragesShown(const AdamW& optimizer) : optimizer_(optimizer) {
      optimizer_.show(optimizer_.averages_);
    }
    ~AveragesShown() { optimizer_.show(optimizer_.values_); }
    AveragesShown(const AveragesShown&) = delete;
    AveragesShown& operator=(const AveragesShown&) = delete;

   private:
    const AdamW& optimizer_;
  };

  // Every tensor of the state by a name of its own, to be written and read in place.
  std::map<std::string, at::Tensor> state() const;
  void set_num_steps(uint64_t num_steps);

 private:
  std::vector<at::Tensor> gradients() const;
  // Lets the parameters share the numbers of these.
  void show(const std::vector<at::Tensor>& tensors) const;

  LearnerOptions options_;
  std::vector<Parameters::Named> parameters_;  // those that decay come first
  size_t num_decaying_ = 0;
  std::vector<at::Tensor> values_, means_, squares_, steps_, averages_;
  uint64_t num_steps_ = 0;
};

}  // namespace snellen::training
