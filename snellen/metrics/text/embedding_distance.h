// SPDX-License-Identifier: Apache-2.0
// L2 and cosine between the vector of a generated text and those of its references, as the
// published evaluation takes them: mean over references per generation. All in double.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace snellen::metrics {

// || a - b + 1e-6 ||: the library behind the published numbers adds 1e-6 to every component of the
// difference, so equal vectors are not at distance 0.
double shifted_l2(std::span<const double> a, std::span<const double> b);
// <a, b> / max(|a| |b|, 1e-8): 0 when either vector is zero.
double floored_cosine(std::span<const double> a, std::span<const double> b);

// One generation against its references.
struct EmbeddingDistance {
  double l2 = 0;       // mean over references
  double cs = 0;       // mean over references
  double l2_best = 0;  // nearest reference: the mean punishes a perfect match of one of several
                       // different references
  double cs_best = 0;  // most similar reference
};

// `references` holds one or more vectors of generation.size() numbers, one after the other.
EmbeddingDistance embedding_distance(std::span<const double> generation,
                                     std::span<const double> references);

}  // namespace snellen::metrics
