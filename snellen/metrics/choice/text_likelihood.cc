// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/text_likelihood.h"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/metrics/choice/softmax.h"

namespace snellen::metrics {
namespace {

double sum_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

size_t num_texts_of(const FrameTextTable& table) {
  if (table.empty() || table[0].empty()) {
    throw Error{ErrorCode::kInvalidInput,
                "no frames or no texts to score",
                "frame scores",
                "give at least one frame and one text"};
  }
  for (size_t frame = 0; frame < table.size(); ++frame) {
    if (table[frame].size() == table[0].size()) continue;
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("frame has {} texts, expected {}", table[frame].size(), table[0].size()),
        fmt::format("frame {}", frame),
        "score every text on every frame"};
  }
  return table[0].size();
}

}  // namespace

double perplexity(std::span<const double> log_probs) {
  if (log_probs.empty()) {
    throw Error{ErrorCode::kInvalidInput,
                "a one-token text has no scored token",
                "perplexity",
                "put a begin-of-text token before it (--bos)"};
  }
  return std::exp(-sum_of(log_probs) / static_cast<double>(log_probs.size()));
}

double perplexity_compat(std::span<const double> log_probs) {
  return std::exp(-sum_of(log_probs) / static_cast<double>(log_probs.size() + 1));
}

std::vector<double> mean_frame_softmax(const FrameTextTable& logits) {
  const size_t num_texts = num_texts_of(logits);
  std::vector<double> scores(num_texts, 0.0);
  for (const std::vector<double>& frame : logits) {
    const std::vector<double> shares = softmax(frame);
    for (size_t text = 0; text < num_texts; ++text) scores[text] += shares[text];
  }
  for (double& score : scores) score /= static_cast<double>(logits.size());
  return scores;
}

std::vector<double> frame_perplexity(const FrameTextTable& mean_nll) {
  std::vector<double> scores(num_texts_of(mean_nll), 0.0);
  for (const std::vector<double>& frame : mean_nll) {
    for (size_t text = 0; text < scores.size(); ++text) scores[text] += frame[text];
  }
  for (double& score : scores) score = std::exp(score / static_cast<double>(mean_nll.size()));
  return scores;
}

}  // namespace snellen::metrics
