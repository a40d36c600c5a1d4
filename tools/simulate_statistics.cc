// SPDX-License-Identifier: Apache-2.0
// Do the intervals of statistics that are no means cover? Draws many small evaluations whose truth
// is known, as simulate_intervals does, and counts. Prints a table of docs/stats/coverage.md:
//   simulate_statistics [--replicates 2000] [--threads 1] [--seed 0] [--only macro] [--clusters 10]
//       [--bootstrap 0]
// With --bootstrap the percentile bootstrap with so many resamples (of medians none). Exit 1 when
// the least coverage of a statistic misses its bounds: at least 93.5 % from 20 clusters on and at
// least 92 % at 10.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "snellen/stats/interval.h"
#include "snellen/stats/jackknife.h"
#include "snellen/stats/median_interval.h"
#include "snellen/stats/parallel.h"
#include "tools/simulation.h"

namespace snellen::stats {
namespace {

struct Setting {
  size_t num_clusters;
  Sizes sizes;
  double rho;
  double share;

  double threshold() const { return normal_quantile(share); }
};

// An evaluation: a statistic that can be computed for any clusters, or values whose median is
// asked.
struct Drawn {
  ClusterStatistic statistic;
  std::vector<std::vector<double>> values = {};  // by cluster
};

// Sums of several columns by cluster; the statistic is one of their means.
struct Means {
  size_t num_columns;
  std::vector<double> sums = {};
  std::vector<double> weights = {};
  std::vector<double> sizes = {};

  void start_cluster() {
    sums.resize(sums.size() + num_columns);
    weights.resize(weights.size() + num_columns);
    sizes.push_back(0);
  }
  void add(size_t column, double value) {
    sums[sums.size() - num_columns + column] += value;
    weights[weights.size() - num_columns + column] += 1;
  }
  std::vector<double> means(std::span<const uint32_t> clusters) const {
    std::vector<double> mean(num_columns);
    std::vector<double> weight(num_columns);
    for (const uint32_t cluster : clusters) {
      for (size_t i = 0; i < num_columns; ++i) {
        mean[i] += sums[cluster * num_columns + i];
        weight[i] += weights[cluster * num_columns + i];
      }
    }
    for (size_t i = 0; i < num_columns; ++i)
      mean[i] = weight[i] > 0 ? mean[i] / weight[i] : std::nan("");
    return mean;
  }
  Drawn with(const std::function<double(const std::vector<double>&)>& of_means) && {
    std::vector<double> sizes_of = sizes;
    auto statistic = [all = std::move(*this), of_means](std::span<const uint32_t> clusters) {
      return of_means(all.means(clusters));
    };
    return {{.of = std::move(statistic), .sizes = std::move(sizes_of)}};
  }
};

// A latent score of an item of the cluster, of variance 1; a right answer is one below a threshold.
double latent(double cluster, double rho, Draws& draws) {
  return std::sqrt(rho) * cluster + std::sqrt(1 - rho) * draws.normal();
}

// `add(cluster, picture, means)` for each item.
template <typename Add>
Means draw_means(size_t num_columns, const Setting& setting, Draws& draws, Add add) {
  Means means{num_columns};
  for (size_t cluster = 0; cluster < setting.num_clusters; ++cluster) {
    means.start_cluster();
    const double picture = draws.normal();
    for (size_t left = size_of(setting.sizes, draws); left > 0; --left) {
      means.sizes.back() += 1;
      add(cluster, picture, means);
    }
  }
  return means;
}

// One model's share is the setting's, of which half is correlated with another's: their harmonic
// mean.
Drawn draw_harmonic(const Setting& setting, Draws& draws) {
  Means means{2};
  for (size_t cluster = 0; cluster < setting.num_clusters; ++cluster) {
    means.start_cluster();
    const Pair picture = draw_pair(draws);
    for (size_t left = size_of(setting.sizes, draws); left > 0; --left) {
      const Pair score = mix(picture, setting.rho, draw_pair(draws));
      means.sizes.back() += 1;
      means.add(0, score.first < setting.threshold());
      means.add(1, score.second < setting.threshold());
    }
  }
  return std::move(means).with([](const auto& m) { return 2 * m[0] * m[1] / (m[0] + m[1]); });
}

double difference(const std::vector<double>& m) {
  return m[0] - m[1];
}

// bias-close's delta_base: each picture is asked about twice, the second time with a share of 0.5.
Drawn draw_difference(const Setting& setting, Draws& draws) {
  return draw_means(2,
                    setting,
                    draws,
                    [&](size_t, double picture, Means& means) {
                      means.add(0, latent(picture, setting.rho, draws) < setting.threshold());
                      means.add(1, latent(picture, setting.rho, draws) < 0);
                    })
      .with(difference);
}

// bias-close's bias_score: the two subsets show different pictures.
Drawn draw_apart(const Setting& setting, Draws& draws) {
  return draw_means(2,
                    setting,
                    draws,
                    [&](size_t cluster, double picture, Means& means) {
                      const double score = latent(picture, setting.rho, draws);
                      means.add(cluster % 2, score < (cluster % 2 == 0 ? setting.threshold() : 0));
                    })
      .with(difference);
}

// bias-close's macro_category_accuracy: four categories, each with pictures of its own.
Drawn draw_macro(const Setting& setting, Draws& draws) {
  return draw_means(4,
                    setting,
                    draws,
                    [&](size_t cluster, double picture, Means& means) {
                      means.add(cluster % 4,
                                latent(picture, setting.rho, draws) < setting.threshold());
                    })
      .with([](const auto& m) {
        double sum = 0;
        double count = 0;
        for (const double mean : m) {
          if (std::isnan(mean)) continue;
          sum += mean;
          ++count;
        }
        return sum / count;
      });
}

constexpr std::array<double, 3> kRungs = {-1.0, 0.0, 1.0};  // how thresholds move with the noise

Means draw_ladder(const Setting& setting, Draws& draws) {
  return draw_means(kRungs.size(), setting, draws, [&](size_t, double picture, Means& means) {
    const double score = latent(picture, setting.rho, draws);
    for (size_t i = 0; i < kRungs.size(); ++i) {
      const double rung = std::sqrt(0.8) * score + std::sqrt(0.2) * draws.normal();
      means.add(i, rung < setting.threshold() + kRungs[i]);
    }
  });
}

double gain(const std::vector<double>& c) {
  return c.front() < 1 ? (c.back() - c.front()) / (1 - c.front()) : std::nan("");
}

double area(const std::vector<double>& c) {
  return (c[0] / 2 + c[1] + c[2] / 2) / 2;
}

// It rests on the items that are not yet C at clean.
Drawn draw_gain(const Setting& setting, Draws& draws) {
  Means ladder = draw_ladder(setting, draws);
  for (size_t i = 0; i < ladder.sizes.size(); ++i)
    ladder.sizes[i] -= ladder.sums[i * ladder.num_columns];
  return std::move(ladder).with(gain);
}

Drawn draw_area(const Setting& setting, Draws& draws) {
  return draw_ladder(setting, draws).with(area);
}

std::vector<double> true_rungs(const Setting& setting) {
  std::vector<double> shares;
  for (const double rung : kRungs) shares.push_back(normal_cdf(setting.threshold() + rung));
  return shares;
}

// ViLMA: a caption's score is about one higher than a foil's; both are texts of the same clip.
// A text is taken for a caption above the threshold.
constexpr double kApart = 1.0;

double caption_share(const Setting& setting) {
  return normal_cdf(kApart / 2 + setting.threshold());
}
double foil_share(const Setting& setting) {
  return normal_cdf(kApart / 2 - setting.threshold());
}
double p_c(double captions, double foils) {
  return captions / (captions + 1 - foils);
}

// Columns: captions that are taken for captions, foils for foils.
Means draw_foils(const Setting& setting, Draws& draws) {
  return draw_means(2, setting, draws, [&](size_t, double clip, Means& means) {
    const double from = -setting.threshold();
    means.add(0, latent(clip, setting.rho, draws) + kApart / 2 > from);
    means.add(1, latent(clip, setting.rho, draws) - kApart / 2 < from);
  });
}

void rest_on_texts_taken_for(size_t column, Means& foils) {
  for (size_t i = 0; i < foils.sizes.size(); ++i)
    foils.sizes[i] += foils.sums[2 * i + column] - foils.sums[2 * i + 1 - column];
}

Drawn draw_p_c(const Setting& setting, Draws& draws) {
  Means foils = draw_foils(setting, draws);
  rest_on_texts_taken_for(0, foils);
  return std::move(foils).with([](const auto& m) { return p_c(m[0], m[1]); });
}

Drawn draw_acc(const Setting& setting, Draws& draws) {
  return draw_foils(setting, draws).with([](const auto& m) { return (m[0] + m[1]) / 2; });
}

double least(double captions, double foils) {
  return std::min(p_c(captions, foils), p_c(foils, captions));
}

Drawn draw_least(const Setting& setting, Draws& draws) {
  Means foils = draw_foils(setting, draws);
  double captions = 0;
  double others = 0;
  for (size_t i = 0; i < foils.sizes.size(); ++i) {
    captions += foils.sums[2 * i];
    others += foils.sums[2 * i + 1];
  }
  // As many captions as foils: P_f is the smaller one where fewer foils are found.
  rest_on_texts_taken_for(captions > others ? 0 : 1, foils);
  return std::move(foils).with([](const auto& m) { return least(m[0], m[1]); });
}

Drawn draw_auroc(const Setting& setting, Draws& draws) {
  struct Text {
    double score;
    uint32_t clip;
    bool is_caption;
  };
  const double apart = std::sqrt(2.0) * setting.threshold();
  std::vector<Text> texts;
  Drawn drawn;
  for (uint32_t clip = 0; clip < setting.num_clusters; ++clip) {
    const double shown = draws.normal();
    const size_t size = size_of(setting.sizes, draws);
    drawn.statistic.sizes.push_back(static_cast<double>(size));
    for (size_t left = size; left > 0; --left) {
      texts.push_back({latent(shown, setting.rho, draws) + apart, clip, true});
      texts.push_back({latent(shown, setting.rho, draws), clip, false});
    }
  }
  std::sort(
      texts.begin(), texts.end(), [](const Text& a, const Text& b) { return a.score < b.score; });
  drawn.statistic.of = [texts = std::move(texts), n = drawn.statistic.sizes.size()](auto clusters) {
    std::vector<double> times(n);
    for (const uint32_t cluster : clusters) times[cluster] += 1;
    double below = 0;
    double captions = 0;
    double wins = 0;
    for (const Text& text : texts) {
      const double count = times[text.clip];
      (text.is_caption ? captions : below) += count;
      if (text.is_caption) wins += count * below;
    }
    return wins / (captions * below);
  };
  return drawn;
}

// bias-open: scores of independent answers of four groups, whose means lie `apart` in all.
Means draw_labels(const Setting& setting, double apart, Draws& draws) {
  Means means{4};
  for (size_t item = 0; item < setting.num_clusters; ++item) {
    means.start_cluster();
    means.sizes.back() = 1;
    const auto label = static_cast<double>(item % 4);
    means.add(item % 4, apart * label / 3 + draws.normal());
  }
  return means;
}

double range_of(const std::vector<double>& m) {
  return *std::max_element(m.begin(), m.end()) - *std::min_element(m.begin(), m.end());
}

double mean_of(const std::vector<double>& m) {
  return (m[0] + m[1] + m[2] + m[3]) / 4;
}

// visdial-rank: the higher the share, the lower the ranks.
double rank_of(double score, double share) {
  return std::ceil(100 * std::pow(normal_cdf(score), 1 / share));
}

Drawn draw_median(const Setting& setting, Draws& draws) {
  Drawn drawn;
  for (size_t cluster = 0; cluster < setting.num_clusters; ++cluster) {
    drawn.values.emplace_back();
    const double dialog = draws.normal();
    for (size_t left = size_of(setting.sizes, draws); left > 0; --left)
      drawn.values.back().push_back(rank_of(latent(dialog, setting.rho, draws), setting.share));
  }
  return drawn;
}

struct Case {
  const char* name;
  const char* stands_for;
  StatisticRange range;
  std::function<Drawn(const Setting&, Draws&)> draw;
  std::function<double(const Setting&)> truth;
  bool has_clusters = true;  // rho and sizes matter
  uint64_t largest_of = 1;
  uint64_t smallest_of = 1;
};

// Ranges of four groups whose means lie `apart`.
Case range_case(const char* name, const char* stands_for, double apart) {
  return {
      .name = name,
      .stands_for = stands_for,
      .range = StatisticRange::kAtLeastZero,
      .draw = [apart](const Setting& setting,
                      Draws& draws) { return draw_labels(setting, apart, draws).with(range_of); },
      .truth = [apart](const Setting&) { return apart; },
      .has_clusters = false,
      .largest_of = 6};
}

std::vector<Case> cases() {
  using R = StatisticRange;
  const auto share = [](const Setting& s) { return s.share; };
  const auto apart = [](const Setting& s) { return s.share - 0.5; };
  const auto gained = [](const Setting& s) { return gain(true_rungs(s)); };
  const auto below = [](const Setting& s) { return area(true_rungs(s)); };
  const auto precision = [](const Setting& s) { return p_c(caption_share(s), foil_share(s)); };
  const auto smaller = [](const Setting& s) { return least(caption_share(s), foil_share(s)); };
  const auto right = [](const Setting& s) { return (caption_share(s) + foil_share(s)) / 2; };
  const auto average = [](const Setting& s, Draws& d) {
    return draw_labels(s, 1, d).with(mean_of);
  };
  return {
      {"harmonic", "harmonic mean of two shares", R::kShare, draw_harmonic, share},
      {"difference", "bias-close delta_base, delta_scene", R::kDifference, draw_difference, apart},
      {"apart", "bias-close bias_score", R::kDifference, draw_apart, apart},
      {"macro", "bias-close macro_category_accuracy", R::kShare, draw_macro, share},
      {"gain", "control normalized_gain", R::kAtMostOne, draw_gain, gained},
      {"area", "control auc_c", R::kShare, draw_area, below},
      {"p_c", "vilma p_c, p_f", R::kShare, draw_p_c, precision},
      {"min", "vilma min", R::kShare, draw_least, smaller, true, 1, 2},
      {"acc", "vilma acc", R::kShare, draw_acc, right},
      {"auroc", "vilma auroc", R::kShare, draw_auroc, share},
      {"median",
       "visdial-rank median_rank",
       R::kAny,
       draw_median,
       [](const Setting& s) { return rank_of(0, s.share); }},
      {"average", "bias-open average", R::kAny, average, [](const Setting&) { return 0.5; }, false},
      range_case("range", "bias-open range of groups that differ", 4),
      range_case("equal", "bias-open range of equal groups", 0),
  };
}

struct Coverage {
  double covered = 0;  // percent
  double without = 0;  // percent that have no interval
  double width = 0;
};

std::optional<Interval> interval_of_one(const Case& one,
                                        const Setting& setting,
                                        Draws& draws,
                                        uint64_t replicate,
                                        const SimulationOptions& options) {
  Drawn drawn = one.draw(setting, draws);
  if (!drawn.values.empty()) return median_interval(drawn.values, 0.95).interval;
  drawn.statistic.range = one.range;
  drawn.statistic.largest_of = one.largest_of;
  drawn.statistic.smallest_of = one.smallest_of;
  return statistic_interval(drawn.statistic, {.replicates = options.bootstrap, .seed = replicate})
      .interval;
}

Coverage coverage_of(const Case& one,
                     const Setting& setting,
                     uint64_t number,
                     const SimulationOptions& options) {
  std::atomic<uint64_t> covered{0};
  std::atomic<uint64_t> without{0};
  std::atomic<uint64_t> width_millionths{0};
  const double truth = one.truth(setting);
  for_ranges(options.replicates, options.num_threads, [&](uint64_t begin, uint64_t end) {
    for (uint64_t r = begin; r < end; ++r) {
      Draws draws((options.seed * 1000 + number) * 1'000'003 + r);
      const std::optional<Interval> found = interval_of_one(one, setting, draws, r, options);
      if (!found) {
        ++without;
        continue;
      }
      if (found->low <= truth && truth <= found->high) ++covered;
      width_millionths += static_cast<uint64_t>(1e6 * std::min(1e3, found->high - found->low));
    }
  });
  const auto with = static_cast<double>(options.replicates - without);
  return {100.0 * static_cast<double>(covered) / with,
          100.0 * static_cast<double>(without) / static_cast<double>(options.replicates),
          1e-6 * static_cast<double>(width_millionths) / with};
}

int simulate_all(const SimulationOptions& options, std::string_view only, size_t only_clusters) {
  fmt::print(
      "| statistic | pictures | least coverage, % | where | most coverage, % | without interval, "
      "at "
      "most % | width where least | bounds |\n|---|---|---|---|---|---|---|---|\n");
  uint64_t number = 0;
  bool holds_all = true;
  for (const Case& one : cases()) {
    for (const size_t clusters : {10, 20, 40, 100}) {
      Coverage worst{.covered = 101};
      double most = 0;
      double without = 0;
      std::string where;
      for (const Sizes sizes : {Sizes::kFour, Sizes::kUneven, Sizes::kSkewed}) {
        for (const double rho : {0.3, 0.8}) {
          for (const double share : {0.2, 0.5, 0.8}) {
            ++number;
            const bool is_first = sizes == Sizes::kFour && rho == 0.3 && share == 0.2;
            if (!one.has_clusters && !is_first) continue;
            if ((!only.empty() && only != one.name) ||
                (only_clusters != 0 && only_clusters != clusters))
              continue;
            const Setting setting{clusters, sizes, rho, share};
            const Coverage found = coverage_of(one, setting, number, options);
            most = std::max(most, found.covered);
            without = std::max(without, found.without);
            if (!(found.covered < worst.covered)) continue;
            worst = found;
            where =
                one.has_clusters
                    ? fmt::format("{}, {}, {}", kSizeNames[static_cast<size_t>(sizes)], rho, share)
                    : "";
          }
        }
      }
      if (worst.covered > 100) continue;
      const bool holds = worst.covered >= (clusters >= 20 ? 93.5 : 92.0);
      holds_all = holds_all && holds;
      fmt::print("| {} | {} | {:.1f} | {} | {:.1f} | {:.1f} | {:.3f} | {} |\n",
                 one.stands_for,
                 clusters,
                 worst.covered,
                 where,
                 most,
                 without,
                 worst.width,
                 holds ? "holds" : "MISSED");
      std::fflush(stdout);
    }
  }
  fmt::print("\n{} replicates each, seed {}\n", options.replicates, options.seed);
  return holds_all ? 0 : 1;
}

}  // namespace
}  // namespace snellen::stats

int main(int argc, char** argv) {
  snellen::stats::SimulationOptions options{.replicates = 2000};
  std::string only;
  size_t clusters = 0;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const std::string value = i + 1 < argc ? argv[i + 1] : "";
    const std::optional<size_t> number = snellen::parse_number<size_t>(value);
    if (name == "--only" && !value.empty()) {
      only = value;
    } else if (name == "--clusters" && number) {
      clusters = *number;
    } else if (!snellen::stats::set_option(options, name, value)) {
      fmt::print(stderr,
                 "usage: simulate_statistics [--replicates 2000] [--threads 1] [--seed 0] [--only "
                 "macro] [--clusters 10] [--bootstrap 0]\n");
      return 2;
    }
  }
  return snellen::stats::simulate_all(options, only, clusters);
}
