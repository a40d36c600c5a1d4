// SPDX-License-Identifier: Apache-2.0
// The order in which candidates, pairs or foils are listed does not change a metric.
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "snellen/base/rng.h"
#include "snellen/metrics/choice/average_precision.h"
#include "snellen/metrics/choice/foil_choice.h"
#include "snellen/metrics/choice/recall_at_k.h"
#include "snellen/metrics/choice/winoground.h"
#include "snellen/stats/rank.h"

namespace snellen {
namespace {

constexpr uint64_t kCases = 300;

// A ranking with ties: few different scores, at least one right candidate.
struct Ranking {
  std::vector<double> scores;
  std::vector<uint8_t> is_right;
};

Ranking draw_ranking(Rng& rng) {
  Ranking ranking;
  const size_t size = 2 + rng.below(30);
  for (size_t i = 0; i < size; ++i) {
    ranking.scores.push_back(double(rng.below(10)) / 4);
    ranking.is_right.push_back(uint8_t(rng.below(3) == 0));
  }
  ranking.is_right[rng.below(size)] = 1;
  return ranking;
}

Ranking reordered(const Ranking& ranking, Rng& rng) {
  std::vector<size_t> order(ranking.scores.size());
  std::iota(order.begin(), order.end(), size_t{0});
  rng.shuffle(std::span(order));
  Ranking other;
  for (size_t place : order) {
    other.scores.push_back(ranking.scores[place]);
    other.is_right.push_back(ranking.is_right[place]);
  }
  return other;
}

TEST(Permutation, AveragePrecisionIgnoresTheOrderOfCandidates) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("average-precision").fork(id);
    const Ranking one = draw_ranking(rng);
    const Ranking other = reordered(one, rng);
    EXPECT_DOUBLE_EQ(metrics::average_precision(one.is_right, one.scores),
                     metrics::average_precision(other.is_right, other.scores))
        << id;
  }
}

TEST(Permutation, RetrievalIgnoresTheOrderOfCandidates) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("retrieval").fork(id);
    const Ranking one = draw_ranking(rng);
    const Ranking other = reordered(one, rng);
    const auto k = uint32_t(1 + rng.below(5));
    const metrics::Retrieval first = metrics::retrieve(one.scores, one.is_right, k);
    const metrics::Retrieval second = metrics::retrieve(other.scores, other.is_right, k);
    EXPECT_EQ(first.is_found, second.is_found) << id;
    EXPECT_EQ(first.is_found_with_ties, second.is_found_with_ties) << id;
    EXPECT_LE(first.is_found, first.is_found_with_ties) << id;
  }
}

TEST(Permutation, AurocIgnoresOrderAndTurnsWithTheSides) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("auroc").fork(id);
    std::vector<double> positives(1 + rng.below(20)), negatives(1 + rng.below(20));
    for (double& score : positives) score = double(rng.below(8));
    for (double& score : negatives) score = double(rng.below(8));
    const double before = *stats::auroc(positives, negatives);
    rng.shuffle(std::span(positives));
    rng.shuffle(std::span(negatives));
    EXPECT_EQ(*stats::auroc(positives, negatives), before) << id;
    EXPECT_DOUBLE_EQ(*stats::auroc(negatives, positives), 1 - before) << id;
  }
}

TEST(Permutation, FoilsMayStandInAnyOrder) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("foils").fork(id);
    std::vector<double> scores(2 + rng.below(6));
    for (double& score : scores) score = double(rng.below(6)) / 8;
    const auto before =
        metrics::decide_foil(scores, metrics::FoilMode::kSimilarity, metrics::FoilTies::kHalf);
    rng.shuffle(std::span(scores).subspan(1));
    const auto after =
        metrics::decide_foil(scores, metrics::FoilMode::kSimilarity, metrics::FoilTies::kHalf);
    EXPECT_EQ(after.credit, before.credit) << id;
    EXPECT_EQ(after.margin, before.margin) << id;
  }
}

TEST(Permutation, WinogroundIsTheSameWithBothPairsExchanged) {
  for (uint64_t id = 0; id < kCases; ++id) {
    Rng rng = Rng(0).fork("winoground").fork(id);
    metrics::FourScores scores;
    for (auto& row : scores)
      for (double& score : row) score = double(rng.below(4));
    const metrics::Winoground one = metrics::winoground(scores);
    const metrics::Winoground other =
        metrics::winoground({{{scores[1][1], scores[1][0]}, {scores[0][1], scores[0][0]}}});
    EXPECT_EQ(one.text, other.text) << id;
    EXPECT_EQ(one.image, other.image) << id;
    EXPECT_EQ(one.group, other.group) << id;
    EXPECT_EQ(one.num_ties, other.num_ties) << id;
  }
}

}  // namespace
}  // namespace snellen
