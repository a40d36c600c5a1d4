// SPDX-License-Identifier: Apache-2.0
// From what a model says about tokens and frames to one score per text
// (docs/spec/vilma.md 5.2, 5.4, 5.5).
#pragma once

#include <span>
#include <vector>

namespace snellen::metrics {

// exp(-sum / tokens scored). `log_probs` holds log p(w_t | w_<t) for t = 2..L, so L - 1 values: the
// first token has no context. Throws kInvalidInput for a one-token text, which scores nothing.
double perplexity(std::span<const double> log_probs);
// The reference divides by L although L - 1 terms are summed; a one-token text gives 1.
double perplexity_compat(std::span<const double> log_probs);

// Rows are frames, columns the texts of one item. All rows have the same length; throws
// kInvalidInput otherwise and when there are none.
using FrameTextTable = std::vector<std::vector<double>>;

// The mean over frames of the softmax over the item's texts: CLIP's score. Sums to 1 over the
// texts.
std::vector<double> mean_frame_softmax(const FrameTextTable& logits);
// exp of the mean negative log-likelihood over frames: BLIP-2's perplexity.
std::vector<double> frame_perplexity(const FrameTextTable& mean_nll);

}  // namespace snellen::metrics
