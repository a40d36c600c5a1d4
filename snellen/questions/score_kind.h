// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace snellen::questions {

// What the scores of a model are. Of every kind the higher one is the better match.
enum class ScoreKind {
  kSimilarity,     // any range
  kProbability,    // in [0, 1], over the texts of one question
  kLogLikelihood,  // -log of a perplexity
  // In [0, 1], over the texts of one question, and comparable among them alone: not with what
  // another visual has.
  kChoice,
};

}  // namespace snellen::questions
