// SPDX-License-Identifier: Apache-2.0
// The losses of docs/spec/probe.md 7.3, image-text matching, and the likelihood of texts. All are
// differentiable, and computed in the type of their inputs: give float32 or double.
#pragma once

#include <ATen/ATen.h>

namespace snellen::training {

struct ContrastiveLoss {
  at::Tensor image_to_text;  // mean over rows
  at::Tensor text_to_image;  // mean over columns
  at::Tensor loss;           // half their sum
};

// Of `logits` [n, n], images by texts: cosines times the exponential of the logit scale. Row i and
// column i belong together. `same` [n, n] is true where text j says what text i says: as negatives
// of each other they are left out. Undefined: all differ.
ContrastiveLoss contrastive_loss(const at::Tensor& logits, const at::Tensor& same = {});

// [n, n]: whether two texts say the same, from the number [n] of what each says.
at::Tensor same_texts(const at::Tensor& numbers);

// max(0, margin - right + wrong), elementwise.
at::Tensor hinge(const at::Tensor& right, const at::Tensor& wrong, double margin);

// The mean cross-entropy of predicting token t from the states before it; `lengths` [n] tokens of
// each text count, the rest is padding. `logits` [n, length, vocabulary], `ids` [n, length].
at::Tensor language_loss(const at::Tensor& logits,
                         const at::Tensor& ids,
                         const at::Tensor& lengths);

}  // namespace snellen::training
