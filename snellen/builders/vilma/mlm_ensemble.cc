// SPDX-License-Identifier: Apache-2.0
#include "snellen/builders/vilma/mlm_ensemble.h"

#include <algorithm>
#include <map>

namespace snellen::builders::vilma {

std::vector<EnsembleCandidate> ensemble(
    std::span<const std::vector<annotations::FoilCandidate>> models,
    const EnsembleOptions& options) {
  std::vector<EnsembleCandidate> merged;
  std::map<std::string_view, size_t> places;
  for (const auto& candidates : models) {
    for (const annotations::FoilCandidate& one : candidates) {
      if (one.noun.empty() || !one.score) continue;
      const auto [place, is_new] = places.try_emplace(one.phrase, merged.size());
      if (is_new) {
        merged.push_back({.noun = one.noun,
                          .phrase = one.phrase,
                          .sequence = one.sequence,
                          .scores = {},
                          .models = {}});
      }
      EnsembleCandidate& into = merged[place->second];
      into.scores.push_back(*one.score);
      into.models.push_back(one.model);
    }
  }
  for (EnsembleCandidate& one : merged) {
    double product = 1;
    for (const double score : one.scores) product *= score;
    one.score = static_cast<double>(one.scores.size()) + product;
  }
  std::stable_sort(
      merged.begin(), merged.end(), [](const EnsembleCandidate& a, const EnsembleCandidate& b) {
        return a.score > b.score;
      });
  std::erase_if(merged,
                [&](const EnsembleCandidate& one) { return !(one.score >= options.threshold); });
  if (merged.size() > options.top_k) merged.resize(options.top_k);
  return merged;
}

}  // namespace snellen::builders::vilma
