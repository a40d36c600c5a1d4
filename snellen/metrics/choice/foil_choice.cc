// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/choice/foil_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "snellen/base/error.h"
#include "snellen/metrics/metric.h"

namespace snellen::metrics {
namespace {

constexpr std::array<std::pair<std::string_view, FoilMode>, 3> kModes = {
    {{"similarity", FoilMode::kSimilarity},
     {"probability", FoilMode::kProbability},
     {"perplexity", FoilMode::kPerplexity}}};
constexpr std::array<std::pair<std::string_view, FoilTies>, 3> kTies = {
    {{"caption", FoilTies::kCaption}, {"foil", FoilTies::kFoil}, {"half", FoilTies::kHalf}}};

double credit_of_tie(FoilTies ties) {
  if (ties == FoilTies::kHalf) return 0.5;
  return ties == FoilTies::kCaption ? 1.0 : 0.0;
}

// Caption minus best foil with the better side up; both are turned before they are subtracted, so
// equal infinities are a tie, not a NaN.
struct BestScores {
  double caption;
  double foil;
  bool has_nan;
};

BestScores best_scores(std::span<const double> scores, FoilMode mode, bool as_float32) {
  const double sign = mode == FoilMode::kPerplexity ? -1.0 : 1.0;
  auto turned = [&](double x) { return sign * (as_float32 ? static_cast<float>(x) : x); };
  BestScores best{
      turned(scores[0]), -std::numeric_limits<double>::infinity(), std::isnan(scores[0])};
  for (double score : scores.subspan(1)) {
    best.has_nan = best.has_nan || std::isnan(score);
    best.foil = std::max(best.foil, turned(score));
  }
  return best;
}

std::optional<double> margin_of(const BestScores& best, size_t num_foils) {
  if (num_foils == 0 || best.has_nan) return std::nullopt;
  if (best.caption == best.foil) return 0.0;
  return best.caption - best.foil;
}

}  // namespace

std::optional<FoilMode> foil_mode_of(std::string_view name) {
  for (const auto& [word, mode] : kModes) {
    if (word == name) return mode;
  }
  return std::nullopt;
}

std::string_view name_of(FoilMode mode) {
  return kModes[static_cast<size_t>(mode)].first;
}

std::string_view name_of(FoilTies ties) {
  return kTies[static_cast<size_t>(ties)].first;
}

FoilDecision decide_foil(std::span<const double> scores, FoilMode mode, FoilTies ties) {
  SNELLEN_CHECK(!scores.empty());
  const size_t num_foils = scores.size() - 1;
  const BestScores best = best_scores(scores, mode, /*as_float32=*/false);
  FoilDecision decision;
  decision.margin = margin_of(best, num_foils);
  if (best.has_nan) return decision;
  decision.is_tied = num_foils > 0 && best.caption == best.foil;
  if (decision.is_tied) {
    decision.credit = credit_of_tie(ties);
  } else {
    decision.credit = num_foils == 0 || best.caption > best.foil ? 1.0 : 0.0;
  }
  return decision;
}

FoilDecision decide_foil_compat(std::span<const double> scores, FoilMode mode) {
  SNELLEN_CHECK(!scores.empty());
  const BestScores best = best_scores(scores, mode, /*as_float32=*/true);
  FoilDecision decision;
  decision.margin = margin_of(best, scores.size() - 1);
  if (best.has_nan) {
    decision.credit = std::isnan(scores[0]) ? 1.0 : 0.0;  // the first NaN is the winner
    return decision;
  }
  decision.is_tied = scores.size() > 1 && best.caption == best.foil;
  decision.credit = best.caption >= best.foil ? 1.0 : 0.0;
  return decision;
}

double foil_chance(size_t num_foils) {
  return 1.0 / (1.0 + static_cast<double>(num_foils));
}

namespace {

class FoilChoiceMetric : public Metric {
 public:
  const MetricFacts& facts() const override { return facts_; }

  std::optional<std::string> misfit(const ItemShape& shape) const override {
    const bool fits = shape.num_visuals == 1 && shape.num_asked() == shape.is_asked.size() &&
                      shape.num_right() == 1 && shape.is_right[0] == 1;
    if (fits) return std::nullopt;
    return "foil_choice needs one clip, with its true caption first and only foils after it";
  }

  Judged judge(const ScoredItem& item) const override {
    const FoilTies ties = item.ties == Ties::kWrong  ? FoilTies::kFoil
                          : item.ties == Ties::kHalf ? FoilTies::kHalf
                                                     : FoilTies::kCaption;
    const FoilDecision decision = decide_foil(item.scores, FoilMode::kSimilarity, ties);
    Judged judged;
    judged.margin = decision.margin.value_or(judged.margin);
    judged.values = {decision.credit, judged.margin};
    judged.tied_columns = uint64_t{decision.is_tied};
    if (decision.credit != 0.5) judged.is_correct = decision.credit == 1;
    return judged;
  }

 private:
  MetricFacts facts_ = {
      .name = "foil_choice",
      .summary = "does the true caption score above every foil (ViLMA's acc_r)",
      .version = 1,
      .range = "0..1",
      .ties = "a tie with a foil is wrong; --ties caption|foil|half",
      .paper = "arXiv 2311.07022",
      .columns = {{.name = "acc_r", .is_share = true, .is_decision = true}, {.name = "margin"}}};
};

}  // namespace

std::unique_ptr<Metric> make_foil_choice();
std::unique_ptr<Metric> make_foil_choice() {
  return std::make_unique<FoilChoiceMetric>();
}

}  // namespace snellen::metrics
