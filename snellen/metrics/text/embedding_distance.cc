// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/text/embedding_distance.h"

#include <algorithm>
#include <cmath>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

constexpr double kShift = 1e-6;
constexpr double kSmallestProduct = 1e-8;

}  // namespace

double shifted_l2(std::span<const double> a, std::span<const double> b) {
  SNELLEN_CHECK(a.size() == b.size());
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double difference = a[i] - b[i] + kShift;
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

double floored_cosine(std::span<const double> a, std::span<const double> b) {
  SNELLEN_CHECK(a.size() == b.size());
  double dot = 0;
  double square_of_a = 0;
  double square_of_b = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    dot += a[i] * b[i];
    square_of_a += a[i] * a[i];
    square_of_b += b[i] * b[i];
  }
  return dot / std::max(std::sqrt(square_of_a) * std::sqrt(square_of_b), kSmallestProduct);
}

EmbeddingDistance embedding_distance(std::span<const double> generation,
                                     std::span<const double> references) {
  size_t dim = generation.size();
  SNELLEN_CHECK(dim > 0 && !references.empty() && references.size() % dim == 0);
  size_t num_references = references.size() / dim;
  EmbeddingDistance distance;
  for (size_t i = 0; i < num_references; ++i) {
    std::span<const double> reference = references.subspan(i * dim, dim);
    double l2 = shifted_l2(reference, generation);
    double cs = floored_cosine(reference, generation);
    distance.l2 += l2;
    distance.cs += cs;
    distance.l2_best = i == 0 ? l2 : std::min(distance.l2_best, l2);
    distance.cs_best = i == 0 ? cs : std::max(distance.cs_best, cs);
  }
  distance.l2 /= static_cast<double>(num_references);
  distance.cs /= static_cast<double>(num_references);
  return distance;
}

}  // namespace snellen::metrics
