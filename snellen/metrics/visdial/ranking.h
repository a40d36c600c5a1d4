// SPDX-License-Identifier: Apache-2.0
// How high the given answer stands among a dialog round's candidates (docs/spec/visdial.md 5.6).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace snellen::metrics::visdial {

// The rank of every candidate, 1 for the highest score; of equal scores the lower index is better.
std::vector<uint32_t> ranks_of(std::span<const double> scores);

// What the rank of the given answer comes to; means over rounds are the published figures.
struct RankValues {
  double rank = 0;
  std::array<double, 3> recalls = {};  // 1 where the rank is at most 1, 5, 10
  double reciprocal = 0;
};
inline constexpr std::array<uint32_t, 3> kRecallRanks = {1, 5, 10};
RankValues rank_values(uint32_t rank);

// Normalised discounted cumulative gain over the K best candidates, K the number of relevant ones;
// nothing where no candidate is relevant.
std::optional<double> ndcg(std::span<const uint32_t> ranks, std::span<const double> relevance);

struct OtsuSplit {
  double threshold = 0;
  uint64_t num_above = 0;  // scores that are no less
};
// Where 256 bins between the smallest and the largest score part best (Otsu 1979): the centre of
// the first best bin; the value itself where all are equal. At least one score.
OtsuSplit otsu(std::span<const double> scores);

}  // namespace snellen::metrics::visdial
