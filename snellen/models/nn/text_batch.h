// SPDX-License-Identifier: Apache-2.0
// Texts of any lengths as batches of equal length: each is padded to its own length rounded up to a
// multiple of 16, so its result depends on it alone and little is computed for nothing.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "snellen/models/network.h"

namespace snellen::models::nn {

struct TextBatch {
  at::Tensor ids;          // [n, length] int64, padded with pad_id
  at::Tensor hidden_keys;  // [n, 1, 1, length]: -inf over padding; undefined when there is none
  std::vector<int64_t> lengths;  // without padding
  std::vector<size_t> places;    // which text each row is

  int64_t size() const { return ids.size(0); }
  int64_t length() const { return ids.size(1); }
};

struct TextBatchOptions {
  int64_t pad_id = 0;
  int64_t vocabulary = 0;  // ids must be below it
  int64_t max_tokens = 0;  // texts must not be longer; 0 for no limit
  // 0: each its own length rounded up. Otherwise all texts are padded to this one length.
  int64_t fixed_length = 0;
  // Tokens that stand beside the text in the same attention, a picture's: it is the sum that is
  // rounded up.
  int64_t beside = 0;
  int64_t most_texts = 0;  // of a batch; 0 for no limit
  at::Device device = at::kCPU;
  at::ScalarType mask_type = at::kFloat;
};

// Throws kInvalidInput for a text without tokens, with too many, or with an id outside the
// vocabulary: such a text belongs to another tokenizer.
std::vector<TextBatch> batches_of(std::span<const TokenIds> texts, const TextBatchOptions& options);

// 0, 1, 2 .. length - 1, held at the last row of a table of `positions` rows: only padding gets
// there.
at::Tensor positions_of(int64_t length, int64_t positions, at::Device device);

// [n, length, width] -> [n, width] in float32, without padding.
at::Tensor mean_over_tokens(const at::Tensor& states, const TextBatch& batch);

// For a model with this vocabulary and position table.
TextBatchOptions batching_of(int64_t vocabulary,
                             int64_t max_tokens,
                             const at::TensorOptions& options);

// Puts rows [n, ...] of each batch where its texts stand.
class RowsByText {
 public:
  explicit RowsByText(size_t num_texts) : num_texts_(num_texts) {}
  void put(const TextBatch& batch, const at::Tensor& rows);
  // [texts, columns].
  Matrix matrix() const;

 private:
  size_t num_texts_;
  Matrix matrix_;
};

// One row per text: batches them, calls `rows_of` for each batch and puts the rows where the texts
// stand. The trace is handed to the batch that begins with the first text.
Matrix rows_by_text(std::span<const TokenIds> texts,
                    const TextBatchOptions& options,
                    Trace* trace,
                    const std::function<at::Tensor(const TextBatch& batch, Trace* trace)>& rows_of);

}  // namespace snellen::models::nn
