// SPDX-License-Identifier: Apache-2.0
// The losses of spec/probe.md 7.3, image-text matching, and the likelihood of texts. All are
// differentiable, and computed in the type of their inputs: give float32 or double.
#pragma once

#include <ATen/ATen.h>

namespace snellen::training {

struct ContrastiveLoss {
  at::Tensor image_to_text;  // mean over rows
  at::Tensor text_to_image;  // mean over columns
  at::Tensor loss;           // half their sum
};

// Rows i of `images` and `texts` [n, d] belong together; they need not be normalised. Logits are
// `scale` (a number, already the exponential) times the cosine. `same` [n, n] is true where text j
// says what text i says: as negatives of each other they are left out. Undefined: all differ.
ContrastiveLoss contrastive_loss(const at::Tensor& images,
                                 const at::Tensor& texts,
                                 const at::Tensor& scale,
                                 const at::Tensor& same = {});
// The same from logits [images, texts], for models whose texts depend on the picture.
ContrastiveLoss contrastive_loss_of(const at::Tensor& logits, const at::Tensor& same = {});

// [n, n]: whether two texts say the same, from the number [n] of what each says.
at::Tensor same_texts(const at::Tensor& numbers);

// max(0, margin - right + wrong), elementwise.
at::Tensor hinge(const at::Tensor& right, const at::Tensor& wrong, double margin);

// The four hinges of a compositional sample, [n, 4], from rows of features that need not be
// normalised: text choice for x1 and x2, picture choice for p1 and p2.
at::Tensor composition_hinges(const at::Tensor& x1,
                              const at::Tensor& x2,
                              const at::Tensor& p1,
                              const at::Tensor& p2,
                              double margin);

// The mean cross-entropy of predicting token t from the states before it; `lengths` [n] tokens of
// each text count, the rest is padding. `logits` [n, length, vocabulary], `ids` [n, length].
at::Tensor language_loss(const at::Tensor& logits,
                         const at::Tensor& ids,
                         const at::Tensor& lengths);

// The cosine of every row of `a` with the same row of `b`.
at::Tensor row_cosines(const at::Tensor& a, const at::Tensor& b);

}  // namespace snellen::training
