// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/visdial/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

#include "snellen/base/error.h"

namespace snellen::metrics::visdial {
namespace {

constexpr size_t kBins = 256;

double gain(std::span<const double> relevance_by_rank, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += relevance_by_rank[i] / std::log2(static_cast<double>(i) + 2);
  return sum;
}

// As numpy's histogram: a value on an edge belongs to the bin above, the largest to the last.
struct Histogram {
  std::array<double, kBins + 1> edges = {};
  std::array<double, kBins> counts = {};

  Histogram(std::span<const double> values, double least, double most) {
    const double step = (most - least) / kBins;
    for (size_t i = 0; i < kBins; ++i) edges[i] = least + static_cast<double>(i) * step;
    edges[kBins] = most;
    for (double value : values) {
      auto bin = static_cast<size_t>((value - least) * (kBins / (most - least)));
      bin = std::min(bin, kBins - 1);
      if (value < edges[bin]) {
        --bin;
      } else if (value >= edges[bin + 1] && bin != kBins - 1) {
        ++bin;
      }
      ++counts[bin];
    }
  }
  double centre(size_t bin) const { return (edges[bin] + edges[bin + 1]) / 2; }
};

double best_threshold(const Histogram& histogram) {
  // Weights and means of the bins up to each one, and from each one on.
  std::array<double, kBins> below = {};
  std::array<double, kBins> mean_below = {};
  std::array<double, kBins> above = {};
  std::array<double, kBins> mean_above = {};
  double weight = 0;
  double sum = 0;
  for (size_t i = 0; i < kBins; ++i) {
    below[i] = weight += histogram.counts[i];
    sum += histogram.counts[i] * histogram.centre(i);
    mean_below[i] = sum / weight;
  }
  weight = sum = 0;
  for (size_t i = kBins; i-- > 0;) {
    above[i] = weight += histogram.counts[i];
    sum += histogram.counts[i] * histogram.centre(i);
    mean_above[i] = sum / weight;
  }
  size_t best = 0;
  double largest = -1;
  for (size_t i = 0; i + 1 < kBins; ++i) {
    const double between = mean_below[i] - mean_above[i + 1];
    const double variance = below[i] * above[i + 1] * between * between;
    if (variance > largest) {
      largest = variance;
      best = i;
    }
  }
  return histogram.centre(best);
}

}  // namespace

std::vector<uint32_t> ranks_of(std::span<const double> scores) {
  std::vector<uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(
      order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  std::vector<uint32_t> ranks(scores.size());
  for (uint32_t i = 0; i < order.size(); ++i) ranks[order[i]] = i + 1;
  return ranks;
}

RankValues rank_values(uint32_t rank) {
  RankValues values{.rank = static_cast<double>(rank), .recalls = {}, .reciprocal = 1.0 / rank};
  for (size_t i = 0; i < kRecallRanks.size(); ++i)
    values.recalls[i] = rank <= kRecallRanks[i] ? 1 : 0;
  return values;
}

std::optional<double> ndcg(std::span<const uint32_t> ranks, std::span<const double> relevance) {
  SNELLEN_CHECK(ranks.size() == relevance.size());
  const auto num_relevant = static_cast<size_t>(
      std::count_if(relevance.begin(), relevance.end(), [](double value) { return value != 0; }));
  if (num_relevant == 0) return std::nullopt;
  std::vector<double> by_rank(relevance.size());
  for (size_t i = 0; i < ranks.size(); ++i) by_rank[ranks[i] - 1] = relevance[i];
  std::vector<double> ideal(relevance.begin(), relevance.end());
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  return gain(by_rank, num_relevant) / gain(ideal, num_relevant);
}

OtsuSplit otsu(std::span<const double> scores) {
  SNELLEN_CHECK(!scores.empty());
  const auto [least, most] = std::minmax_element(scores.begin(), scores.end());
  OtsuSplit split{.threshold = *least};
  if (*least < *most) split.threshold = best_threshold(Histogram(scores, *least, *most));
  for (double score : scores) split.num_above += score >= split.threshold;
  return split;
}

}  // namespace snellen::metrics::visdial
