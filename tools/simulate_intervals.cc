// SPDX-License-Identifier: Apache-2.0
// Do the intervals cover, and do the tests keep their level, where items share pictures? Draws many
// small evaluations whose truth is known and counts. Prints the table of docs/stats/coverage.md:
//   simulate_intervals [--replicates 10000] [--threads 1] [--seed 0] [--only one10]
//       [--rho 0.8] [--share 0.2] [--bootstrap 0]
// Exit 1 when a row misses its bounds: false positives at most 6.5 % at nominal 5 %, coverage at
// least 93.5 % from 20 clusters on and at least 92 % at 10.
//
// Two models answer each item right or wrong by a latent normal score: half of its variance is the
// same for both models; the share `rho` of it belongs to the pictures, the rest to the item. Both
// have the same true share, so every difference found between them is false.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/stats/cluster_mean.h"
#include "snellen/stats/cluster_sums.h"
#include "snellen/stats/paired.h"
#include "snellen/stats/parallel.h"
#include "tools/simulation.h"

namespace snellen::stats {
namespace {

constexpr double kAlpha = 0.05;
constexpr double kConfidence = 0.95;
constexpr uint64_t kFlips = 999;  // enough for a level of 5 %

struct Setting {
  bool is_two_way;
  size_t num_clusters;
  Sizes sizes;
  double rho;
  double share;
};

// What one evaluation comes to: sums per unit for the first model and for the difference.
struct Evaluation {
  std::vector<WeightedSum> first;
  std::vector<WeightedSum> difference;
  std::vector<UnitClusters> clusters;

  void add(size_t unit, bool is_first_right, bool is_second_right) {
    first[unit].sum += is_first_right ? 1.0 : 0.0;
    first[unit].weight += 1.0;
    difference[unit].sum += (is_second_right ? 1.0 : 0.0) - (is_first_right ? 1.0 : 0.0);
    difference[unit].weight += 1.0;
  }
};

Evaluation draw_one_way(const Setting& setting, double threshold, Draws& draws) {
  Evaluation evaluation;
  evaluation.first.resize(setting.num_clusters);
  evaluation.difference.resize(setting.num_clusters);
  for (size_t cluster = 0; cluster < setting.num_clusters; ++cluster) {
    Pair picture = draw_pair(draws);
    for (size_t left = size_of(setting.sizes, draws); left > 0; --left) {
      Pair score = mix(picture, setting.rho, draw_pair(draws));
      evaluation.add(cluster, score.first < threshold, score.second < threshold);
    }
  }
  return evaluation;
}

// Items of two pictures. "4 each": twice as many pairs as pictures, so that a picture is in about
// four; else some pictures are in many more pairs than others. Half of the pairs have their mirror
// image in the file, with nearly the same score.
Evaluation draw_two_way(const Setting& setting, double threshold, Draws& draws) {
  const size_t count = setting.num_clusters;
  std::vector<Pair> pictures(count);
  for (Pair& one : pictures) one = draw_pair(draws);
  auto pick = [&] {
    double u = draws.uniform();
    double place = setting.sizes == Sizes::kFour     ? u
                   : setting.sizes == Sizes::kUneven ? std::pow(u, 1.5)
                                                     : u * u;
    return static_cast<uint32_t>(place * static_cast<double>(count));
  };
  Evaluation evaluation;
  std::unordered_set<size_t> seen;
  const size_t num_pairs = 2 * count;
  while (evaluation.clusters.size() < num_pairs) {
    uint32_t a = pick();
    uint32_t b = pick();
    if (a == b) continue;
    if (!seen.insert(std::min(a, b) * count + std::max(a, b)).second) continue;
    evaluation.clusters.push_back({a, b});
    evaluation.first.emplace_back();
    evaluation.difference.emplace_back();
    Pair shown = mix(pictures[a], 0.5, pictures[b]);
    Pair own = draw_pair(draws);
    size_t unit = evaluation.clusters.size() - 1;
    for (size_t left = 1 + draws.below(2); left > 0; --left) {
      Pair score = mix(shown, setting.rho, mix(own, 0.8, draw_pair(draws)));
      evaluation.add(unit, score.first < threshold, score.second < threshold);
    }
  }
  return evaluation;
}

struct Counts {
  std::atomic<uint64_t> covered{0};
  std::atomic<uint64_t> difference_covered{0};
  std::atomic<uint64_t> without_interval{0};
  std::atomic<uint64_t> found{0};
  std::atomic<uint64_t> naive_covered{0};  // were the items independent
  std::atomic<uint64_t> width_millionths{0};
};

void judge(const Setting& setting, const Evaluation& evaluation, Counts& counts) {
  auto estimate = [&](const std::vector<WeightedSum>& sums) {
    return setting.is_two_way ? estimate_mean(sums, evaluation.clusters, setting.num_clusters)
                              : estimate_mean(sums);
  };
  MeanEstimate first = estimate(evaluation.first);
  MeanEstimate difference = estimate(evaluation.difference);
  MeanInterval interval = interval_of(first, ValueKind::kShare, kConfidence);
  MeanInterval apart = interval_of(difference, ValueKind::kDifference, kConfidence);
  if (!interval.interval || !apart.interval) {
    ++counts.without_interval;
    return;
  }
  if (interval.interval->low <= setting.share && setting.share <= interval.interval->high)
    ++counts.covered;
  counts.width_millionths +=
      static_cast<uint64_t>(1e6 * (interval.interval->high - interval.interval->low));
  if (apart.interval->low <= 0.0 && 0.0 <= apart.interval->high) ++counts.difference_covered;
  auto n = static_cast<uint64_t>(first.weight);
  auto right = static_cast<uint64_t>(std::llround(first.mean * first.weight));
  std::optional<Interval> naive = wilson(right, n, kConfidence);
  if (naive->low <= setting.share && setting.share <= naive->high) ++counts.naive_covered;
  double p = 1.0;
  if (setting.is_two_way) {
    p = mean_test_p(difference).value_or(1.0);
  } else {
    std::vector<double> sums;
    for (const WeightedSum& one : evaluation.difference) sums.push_back(one.sum);
    std::optional<SignFlip> test = sign_flip_test(sums, {.draws = kFlips});
    if (test) p = test->p;
  }
  if (p < kAlpha) ++counts.found;
}

bool simulate(const Setting& setting, uint64_t number, const SimulationOptions& options) {
  Counts counts;
  const double threshold = normal_quantile(setting.share);
  for_ranges(options.replicates, options.num_threads, [&](uint64_t begin, uint64_t end) {
    for (uint64_t r = begin; r < end; ++r) {
      Draws draws((options.seed * 1000 + number) * 1'000'003 + r);
      Evaluation one = setting.is_two_way ? draw_two_way(setting, threshold, draws)
                                          : draw_one_way(setting, threshold, draws);
      judge(setting, one, counts);
    }
  });
  double with = static_cast<double>(options.replicates - counts.without_interval);
  double covered = 100.0 * static_cast<double>(counts.covered) / with;
  double difference_covered = 100.0 * static_cast<double>(counts.difference_covered) / with;
  double found = 100.0 * static_cast<double>(counts.found) / with;
  double floor = setting.num_clusters >= 20 ? 93.5 : 92.0;
  bool holds = covered >= floor && difference_covered >= floor && found <= 6.5;
  fmt::print(
      "| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.3f} | {} |\n",
      setting.is_two_way ? "two" : "one",
      setting.num_clusters,
      kSizeNames[static_cast<size_t>(setting.sizes)],
      setting.rho,
      setting.share,
      covered,
      difference_covered,
      found,
      100.0 * static_cast<double>(counts.naive_covered) / with,
      1e-6 * static_cast<double>(counts.width_millionths) / with,
      holds ? "holds" : "MISSED");
  std::fflush(stdout);
  return holds;
}

// The specs' percentile bootstrap of the share, with `resamples` draws.
struct ResampledCounts {
  std::atomic<uint64_t> covered{0};
  std::atomic<uint64_t> without{0};
};

void judge_resampled(const Setting& setting,
                     const Evaluation& evaluation,
                     const BootstrapOptions& options,
                     ResampledCounts& counts) {
  ClusterSums sums(1);
  for (size_t unit = 0; unit < evaluation.first.size(); ++unit) {
    const WeightedSum& one = evaluation.first[unit];
    size_t number = 0;
    if (setting.is_two_way) {
      const UnitClusters& pair = evaluation.clusters[unit];
      number = sums.unit(std::vector{std::to_string(pair[0]), std::to_string(pair[1])});
    } else {
      number = sums.unit(std::to_string(unit));
    }
    sums.add(number, 0, one.sum / one.weight, one.weight);
  }
  const std::optional<Interval> found = sums.intervals(options).front();
  if (!found) {
    ++counts.without;
  } else if (found->low <= setting.share && setting.share <= found->high) {
    ++counts.covered;
  }
}

bool simulate_resampled(const Setting& setting, uint64_t number, const SimulationOptions& options) {
  ResampledCounts counts;
  const double threshold = normal_quantile(setting.share);
  for_ranges(options.replicates, options.num_threads, [&](uint64_t begin, uint64_t end) {
    for (uint64_t r = begin; r < end; ++r) {
      Draws draws((options.seed * 1000 + number) * 1'000'003 + r);
      const Evaluation one = setting.is_two_way ? draw_two_way(setting, threshold, draws)
                                                : draw_one_way(setting, threshold, draws);
      judge_resampled(setting, one, {.replicates = options.bootstrap, .seed = r}, counts);
    }
  });
  const double covered = 100.0 * static_cast<double>(counts.covered) /
                         static_cast<double>(options.replicates - counts.without);
  fmt::print("| {} | {} | {} | {:.1f} | {:.1f} | {:.1f} |\n",
             setting.is_two_way ? "two" : "one",
             setting.num_clusters,
             kSizeNames[static_cast<size_t>(setting.sizes)],
             setting.rho,
             setting.share,
             covered);
  std::fflush(stdout);
  return true;
}

// Which settings are simulated; what is empty or below 0 takes all.
struct Filter {
  std::string only;
  double rho = -1;
  double share = -1;

  bool takes(const Setting& setting) const {
    const std::string name =
        fmt::format("{}{}", setting.is_two_way ? "two" : "one", setting.num_clusters);
    return (only.empty() || only == name) && (rho < 0 || rho == setting.rho) &&
           (share < 0 || share == setting.share);
  }
};

int simulate_all(const SimulationOptions& options, const Filter& filter) {
  const bool resamples = options.bootstrap > 0;
  fmt::print(
      "{}\n",
      resamples
          ? "| pictures per item | pictures | sizes | rho | share | percentile bootstrap of the "
            "share, % |\n|---|---|---|---|---|---|"
          : "| pictures per item | pictures | sizes | rho | share | coverage of the share, % | "
            "coverage of the difference, % | false positives, % | coverage if independent, % | "
            "width | bounds |\n"
            "|---|---|---|---|---|---|---|---|---|---|---|");
  uint64_t number = 0;
  uint64_t done = 0;
  uint64_t missed = 0;
  for (bool is_two_way : {false, true}) {
    for (size_t clusters : {10, 20, 40, 100, 400}) {
      for (Sizes sizes : {Sizes::kFour, Sizes::kUneven, Sizes::kSkewed}) {
        for (double rho : {0.0, 0.3, 0.8}) {
          for (double share : {0.2, 0.5, 0.8}) {
            ++number;
            const Setting setting{is_two_way, clusters, sizes, rho, share};
            if (!filter.takes(setting)) continue;
            ++done;
            const bool holds = resamples ? simulate_resampled(setting, number, options)
                                         : simulate(setting, number, options);
            if (!holds) ++missed;
          }
        }
      }
    }
  }
  fmt::print("\n{} settings, {} replicates each, seed {}: {} missed\n",
             done,
             options.replicates,
             options.seed,
             missed);
  return missed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace snellen::stats

int main(int argc, char** argv) {
  snellen::stats::SimulationOptions options{.replicates = 10000};
  snellen::stats::Filter filter;
  for (int i = 1; i < argc; i += 2) {
    std::string name = argv[i];
    std::string value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--only" && !value.empty()) {
      filter.only = value;
    } else if (name == "--rho" && !value.empty()) {
      filter.rho = std::atof(value.c_str());
    } else if (name == "--share" && !value.empty()) {
      filter.share = std::atof(value.c_str());
    } else if (!snellen::stats::set_option(options, name, value)) {
      fmt::print(stderr,
                 "usage: simulate_intervals [--replicates 10000] [--threads 1] [--seed 0] [--only "
                 "one10|two400|...] [--rho 0.8] [--share 0.2] [--bootstrap 0]\n");
      return 2;
    }
  }
  return snellen::stats::simulate_all(options, filter);
}
