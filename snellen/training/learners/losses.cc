// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/losses.h"

#include <limits>

namespace snellen::training {

namespace {

// The mean of -log softmax(logits)[i, i] over rows; `hidden` is true where a column does not count.
at::Tensor diagonal_loss(const at::Tensor& logits, const at::Tensor& hidden) {
  at::Tensor counted = hidden.defined()
                           ? logits.masked_fill(hidden, -std::numeric_limits<double>::infinity())
                           : logits;
  return (counted.logsumexp(1) - counted.diagonal()).mean();
}

}  // namespace

ContrastiveLoss contrastive_loss(const at::Tensor& logits, const at::Tensor& same) {
  at::Tensor hidden;
  if (same.defined())
    hidden = same.logical_and(
        at::eye(logits.size(0), at::TensorOptions(logits.device()).dtype(at::kBool)).logical_not());
  ContrastiveLoss result;
  result.image_to_text = diagonal_loss(logits, hidden);
  result.text_to_image = diagonal_loss(logits.t(), hidden.defined() ? hidden.t() : hidden);
  result.loss = (result.image_to_text + result.text_to_image) / 2;
  return result;
}

at::Tensor same_texts(const at::Tensor& numbers) {
  return numbers.unsqueeze(0).eq(numbers.unsqueeze(1));
}

at::Tensor hinge(const at::Tensor& right, const at::Tensor& wrong, double margin) {
  return at::relu(margin - right + wrong);
}

at::Tensor language_loss(const at::Tensor& logits,
                         const at::Tensor& ids,
                         const at::Tensor& lengths) {
  int64_t length = ids.size(1);
  at::Tensor predicted = logits.narrow(1, 0, length - 1);
  at::Tensor wanted = ids.narrow(1, 1, length - 1);
  at::Tensor counts =
      at::arange(1, length, lengths.options()).unsqueeze(0).lt(lengths.unsqueeze(1));
  at::Tensor targets = wanted.masked_fill(counts.logical_not(), -100);
  return at::cross_entropy_loss(predicted.reshape({-1, predicted.size(2)}),
                                targets.reshape({-1}),
                                /*weight=*/{},
                                at::Reduction::Mean,
                                /*ignore_index=*/-100);
}

}  // namespace snellen::training
