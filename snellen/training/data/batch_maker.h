// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "snellen/text/tokenizers/tokenizer.h"
#include "snellen/training/data/batch.h"
#include "snellen/training/data/sample_source.h"

namespace snellen::training {

struct BatchOptions {
  uint64_t seed = 0;
  uint64_t batch_size = 1;  // samples in one batch of one process
  uint32_t num_frames = 1;  // pictures of a visual
  size_t max_tokens = 0;    // texts are cut there
  int rank = 0;             // which part of a step's samples this process takes
  int num_ranks = 1;
};

// Batches by their number: samples of an epoch in an order drawn from "{seed}|train-order|{epoch}",
// and of the step's samples those of this rank. What does not fill the last batch of an epoch is
// left out of it. A sample that cannot be read is replaced by one drawn from
// "{seed}|train-replacement|{epoch}|{index}", and counted. Const methods are safe from many
// threads; source and tokenizer must outlive this.
class BatchMaker {
 public:
  // Throws kInvalidInput when the source holds fewer samples than all ranks want for one step.
  BatchMaker(const SampleSource& source, const text::Tokenizer& tokenizer, BatchOptions options);

  uint64_t batches_per_epoch() const { return batches_per_epoch_; }
  // Throws kInvalidInput when nothing readable is found in 64 draws.
  Batch make(uint64_t number) const;

 private:
  using Order = std::vector<uint32_t>;
  std::shared_ptr<const Order> order_of(uint64_t epoch) const;
  Sample readable(uint64_t epoch, uint64_t index, Batch& batch) const;
  void add(Sample&& sample, uint32_t number, Batch& batch) const;

  const SampleSource& source_;
  const text::Tokenizer& tokenizer_;
  BatchOptions options_;
  uint64_t batches_per_epoch_ = 0;
  mutable std::mutex mutex_;  // guards orders_
  mutable std::map<uint64_t, std::shared_ptr<const Order>> orders_;
};

}  // namespace snellen::training
