// SPDX-License-Identifier: Apache-2.0
#include "snellen/training/learners/losses.h"

#include <limits>

#include "snellen/models/nn/layers.h"

namespace snellen::training {

using models::nn::l2_normalized;

namespace {

// The mean of -log softmax(logits)[i, i] over rows; `hidden` is true where a column does not count.
at::Tensor diagonal_loss(const at::Tensor& logits, const at::Tensor& hidden) {
  at::Tensor counted = hidden.defined()
                           ? logits.masked_fill(hidden, -std::numeric_limits<double>::infinity())
                           : logits;
  return (counted.logsumexp(1) - counted.diagonal()).mean();
}

}  // namespace

ContrastiveLoss contrastive_loss_of(const at::Tensor& logits, const at::Tensor& same) {
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

ContrastiveLoss contrastive_loss(const at::Tensor& images,
                                 const at::Tensor& texts,
                                 const at::Tensor& scale,
                                 const at::Tensor& same) {
  return contrastive_loss_of(scale * l2_normalized(images).matmul(l2_normalized(texts).t()), same);
}

at::Tensor same_texts(const at::Tensor& numbers) {
  return numbers.unsqueeze(0).eq(numbers.unsqueeze(1));
}

at::Tensor hinge(const at::Tensor& right, const at::Tensor& wrong, double margin) {
  return at::relu(margin - right + wrong);
}

at::Tensor row_cosines(const at::Tensor& a, const at::Tensor& b) {
  return (l2_normalized(a) * l2_normalized(b)).sum(-1);
}

at::Tensor composition_hinges(const at::Tensor& x1,
                              const at::Tensor& x2,
                              const at::Tensor& p1,
                              const at::Tensor& p2,
                              double margin) {
  at::Tensor first = row_cosines(x1, p1), second = row_cosines(x2, p2);
  at::Tensor first_wrong = row_cosines(x1, p2), second_wrong = row_cosines(x2, p1);
  return at::stack({hinge(first, first_wrong, margin),
                    hinge(second, second_wrong, margin),
                    hinge(first, second_wrong, margin),
                    hinge(second, first_wrong, margin)},
                   1);
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
