// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "snellen/metrics/metric.h"

namespace snellen::metrics {

// Retrieval of one query: is a right candidate among the k best?
struct Retrieval {
  bool is_found;            // with every tie lost
  bool is_found_with_ties;  // with every tie won
};

// `scores` and `is_right` of the candidates; at least one is right. The best right candidate
// counts: its rank is one more than the number of wrong candidates before it.
Retrieval retrieve(std::span<const double> scores, std::span<const uint8_t> is_right, uint32_t k);

// What guessing finds: 1 - C(wrong, k) / C(all, k).
double retrieval_chance(size_t num_candidates, size_t num_right, uint32_t k);

// Both ways on a block of visuals and texts: i2t asks with every visual for texts, t2i with every
// text for visuals. A query has at least two candidates (pairs that are asked) and a right one; the
// value is the mean over an item's queries, undefined without any. Cutoffs ascend.
std::unique_ptr<Metric> make_recall_at(std::vector<uint32_t> cutoffs);

}  // namespace snellen::metrics
