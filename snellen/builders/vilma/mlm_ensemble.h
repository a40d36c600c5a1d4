// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "snellen/annotations/vilma/foil_candidates.h"

namespace snellen::builders::vilma {

// A phrase that one or more masked language models proposed for a verb.
struct EnsembleCandidate {
  std::string noun;
  std::string phrase;
  std::string sequence;
  std::vector<double> scores;       // of the models, in their order
  std::vector<std::string> models;  // that proposed it
  double score = 0;                 // their number and the product of their scores
};

struct EnsembleOptions {
  size_t top_k = 5;
  double threshold = 2.0;  // keeps scores of at least this: two models or more
};

// Merges the models' candidates by phrase (docs/spec/vilma.md 7.6): highest score first, equal ones
// in the order they were met. Candidates without a score are passed over.
std::vector<EnsembleCandidate> ensemble(
    std::span<const std::vector<annotations::FoilCandidate>> models,
    const EnsembleOptions& options);

}  // namespace snellen::builders::vilma
