// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/foil_intervals.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "snellen/base/error.h"
#include "snellen/stats/jackknife.h"

namespace snellen::metrics {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// One clip's counts; sums over clips give the shares.
struct Counts {
  uint32_t tp = 0;
  uint32_t taken_for_caption = 0;
  uint32_t foil_tp = 0;
  uint32_t taken_for_foil = 0;
  uint32_t right = 0;
  uint32_t texts = 0;

  void add(const Counts& other) {
    tp += other.tp;
    taken_for_caption += other.taken_for_caption;
    foil_tp += other.foil_tp;
    taken_for_foil += other.taken_for_foil;
    right += other.right;
    texts += other.texts;
  }
};

double ratio(uint32_t part, uint32_t whole) {
  return whole == 0 ? kUndefined : static_cast<double>(part) / static_cast<double>(whole);
}

// A text's place in the order of scores; equal scores share a rank.
struct RankedText {
  double score;
  uint32_t clip;
  bool is_caption;
};

class Clips {
 public:
  Clips(std::span<const std::vector<double>> rows, std::span<const std::string> names) {
    SNELLEN_CHECK(rows.size() == names.size());
    std::unordered_map<std::string, uint32_t> numbers;
    for (size_t row = 0; row < rows.size(); ++row) {
      const auto number = static_cast<uint32_t>(numbers.size());
      const uint32_t clip = numbers.emplace(names[row], number).first->second;
      if (clip == counts_.size()) counts_.emplace_back();
      for (size_t column = 0; column < rows[row].size(); ++column) {
        add(rows[row][column], clip, /*is_caption=*/column == 0);
      }
    }
    std::sort(ranked_.begin(), ranked_.end(), [](const RankedText& a, const RankedText& b) {
      return a.score < b.score;
    });
  }

  size_t size() const { return counts_.size(); }

  // How many texts of each clip `count_of` counts.
  template <typename CountOf>
  std::vector<double> sizes(CountOf count_of) const {
    std::vector<double> sizes;
    for (const Counts& counts : counts_) sizes.push_back(count_of(counts));
    return sizes;
  }

  Counts pooled(std::span<const uint32_t> drawn) const {
    Counts sum;
    for (uint32_t clip : drawn) sum.add(counts_[clip]);
    return sum;
  }

  Counts all() const {
    Counts sum;
    for (const Counts& counts : counts_) sum.add(counts);
    return sum;
  }

  // Pairs counted in whole halves, each text as often as its clip was drawn.
  double auroc(std::span<const uint32_t> drawn) const {
    std::vector<uint32_t> times(size(), 0);
    for (uint32_t clip : drawn) ++times[clip];
    uint64_t foils_below = 0;
    uint64_t captions = 0;
    uint64_t half_wins = 0;
    for (size_t at = 0; at < ranked_.size();) {
      uint64_t tied_foils = 0;
      uint64_t tied_captions = 0;
      const double score = ranked_[at].score;
      for (; at < ranked_.size() && ranked_[at].score == score; ++at) {
        (ranked_[at].is_caption ? tied_captions : tied_foils) += times[ranked_[at].clip];
      }
      half_wins += tied_captions * (2 * foils_below + tied_foils);
      foils_below += tied_foils;
      captions += tied_captions;
    }
    if (captions == 0 || foils_below == 0) return kUndefined;
    return static_cast<double>(half_wins) / 2.0 / static_cast<double>(captions) /
           static_cast<double>(foils_below);
  }

 private:
  void add(double score, uint32_t clip, bool is_caption) {
    Counts& counts = counts_[clip];
    const bool says_caption = score > 0.5;
    const bool says_foil = 1.0 - score > 0.5;
    counts.taken_for_caption += says_caption ? 1 : 0;
    counts.taken_for_foil += says_foil ? 1 : 0;
    counts.tp += says_caption && is_caption ? 1 : 0;
    counts.foil_tp += says_foil && !is_caption ? 1 : 0;
    counts.right += says_caption == is_caption ? 1 : 0;
    ++counts.texts;
    ranked_.push_back({score, clip, is_caption});
  }

  std::vector<Counts> counts_;
  std::vector<RankedText> ranked_;
};

}  // namespace

FoilIntervals foil_intervals(std::span<const std::vector<double>> rows,
                             std::span<const std::string> names,
                             const stats::BootstrapOptions& options) {
  const Clips clips(rows, names);
  using Drawn = std::span<const uint32_t>;
  auto p_c = [](const Counts& all) { return ratio(all.tp, all.taken_for_caption); };
  auto p_f = [](const Counts& all) { return ratio(all.foil_tp, all.taken_for_foil); };
  auto min = [&](const Counts& all) {
    const bool is_defined = all.taken_for_caption > 0 && all.taken_for_foil > 0;
    return is_defined ? std::min(p_c(all), p_f(all)) : kUndefined;
  };
  const std::vector<double> taken_for_caption =
      clips.sizes([](const Counts& counts) { return counts.taken_for_caption; });
  const std::vector<double> taken_for_foil =
      clips.sizes([](const Counts& counts) { return counts.taken_for_foil; });
  const std::vector<double> texts = clips.sizes([](const Counts& counts) { return counts.texts; });
  auto interval_of = [&](stats::Statistic statistic, const std::vector<double>& sizes) {
    return stats::statistic_interval(
               {.of = std::move(statistic), .sizes = sizes, .range = stats::StatisticRange::kShare},
               options)
        .interval;
  };
  FoilIntervals intervals;
  intervals.p_c =
      interval_of([&](Drawn drawn) { return p_c(clips.pooled(drawn)); }, taken_for_caption);
  intervals.p_f =
      interval_of([&](Drawn drawn) { return p_f(clips.pooled(drawn)); }, taken_for_foil);
  const Counts all = clips.all();
  intervals.min =
      stats::statistic_interval({.of = [&](Drawn drawn) { return min(clips.pooled(drawn)); },
                                 .sizes = p_f(all) < p_c(all) ? taken_for_foil : taken_for_caption,
                                 .range = stats::StatisticRange::kShare,
                                 .smallest_of = 2},
                                options)
          .interval;
  intervals.acc = interval_of(
      [&](Drawn drawn) {
        const Counts pooled = clips.pooled(drawn);
        return ratio(pooled.right, pooled.texts);
      },
      texts);
  intervals.auroc = interval_of([&](Drawn drawn) { return clips.auroc(drawn); }, texts);
  return intervals;
}

}  // namespace snellen::metrics
