// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "snellen/training/probes/evaluation.h"

namespace snellen::training {

struct Checkpointed {
  std::filesystem::path folder;
  uint64_t num_steps = 0;
  uint64_t num_replaced = 0;
  EarlyStopping watch = {};  // what early stopping had seen
};

// Checkpoints of one training: OUTPUT/checkpoints/step-N, each a model folder with the optimiser's
// state beside the weights. They appear whole; the last two are kept.
class Checkpoints {
 public:
  // `stamp` says what decides the weights; `companions` holds config, tokenizer and preprocessing.
  Checkpoints(const std::filesystem::path& output,
              std::string stamp,
              std::filesystem::path companions);

  // The last one, nothing when there is none. Throws kInvalidInput when it is of another stamp.
  std::optional<Checkpointed> last() const;
  void write(const Learner& learner, uint64_t num_replaced, const EarlyStopping& watch) const;
  void remove_all() const;

  static std::filesystem::path state_file(const std::filesystem::path& folder);

 private:
  std::filesystem::path folder_;
  std::string stamp_;
  std::filesystem::path companions_;
};

}  // namespace snellen::training
