// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/vilma/foil_probability.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/error.h"
#include "snellen/stats/rank.h"

namespace snellen::metrics {
namespace {

bool is_probability(double x) {
  return x >= 0.0 && x <= 1.0;
}

// The texts that count, in the order of the rows, and whether padding stood among them (compat's
// sigmoid rule asks).
template <typename Real>
struct FlatTexts {
  struct Text {
    Real score;
    bool is_caption;
  };
  std::vector<Text> texts;
  bool has_padding = false;
};

template <typename Real>
Real sigmoid(Real x) {
  return Real(1) / (Real(1) + std::exp(-x));
}

// The sigmoid rule: one value outside [0, 1] and all are squashed.
template <typename Real>
bool needs_sigmoid(const FlatTexts<Real>& flat) {
  return flat.has_padding ||
         std::any_of(flat.texts.begin(), flat.texts.end(), [](const auto& text) {
           return !is_probability(text.score);
         });
}

template <typename Real>
FlatTexts<Real> squashed(FlatTexts<Real> flat) {
  if (!needs_sigmoid(flat)) return flat;
  for (auto& text : flat.texts) text.score = sigmoid(text.score);
  return flat;
}

template <typename Real>
FlatTexts<Real> reversed_of(FlatTexts<Real> flat) {
  for (auto& text : flat.texts) text.score = Real(1) - text.score;
  return flat;
}

template <typename Real>
uint64_t count_above_half(const FlatTexts<Real>& flat, bool is_caption) {
  return static_cast<uint64_t>(
      std::count_if(flat.texts.begin(), flat.texts.end(), [&](const auto& text) {
        return text.is_caption == is_caption && text.score > Real(0.5);
      }));
}

// `flat` answers "is it a caption", `reversed` (1 - score) "is it a foil".
template <typename Real>
FoilCounts count_texts(const FlatTexts<Real>& flat, const FlatTexts<Real>& reversed) {
  FoilCounts counts;
  counts.n_pos = static_cast<uint64_t>(std::count_if(
      flat.texts.begin(), flat.texts.end(), [](const auto& text) { return text.is_caption; }));
  counts.n_neg = flat.texts.size() - counts.n_pos;
  counts.tp = count_above_half(flat, /*is_caption=*/true);
  counts.fp = count_above_half(flat, /*is_caption=*/false);
  counts.fn = counts.n_pos - counts.tp;
  counts.tn = counts.n_neg - counts.fp;
  counts.foil_tp = count_above_half(reversed, /*is_caption=*/false);
  counts.foil_fp = count_above_half(reversed, /*is_caption=*/true);
  return counts;
}

template <typename Real>
std::optional<double> auroc_of(const FlatTexts<Real>& flat) {
  std::vector<double> captions;
  std::vector<double> foils;
  for (const auto& text : flat.texts) (text.is_caption ? captions : foils).push_back(text.score);
  return stats::auroc(captions, foils);
}

template <typename Real>
double ratio(uint64_t part, uint64_t whole) {
  if (whole == 0) return 0.0;
  return static_cast<double>(static_cast<Real>(part) / static_cast<Real>(whole));
}

// `Ratio` is the type the shares are formed in.
template <typename Ratio>
FoilProbability shares_of(const FoilCounts& counts) {
  FoilProbability result;
  result.counts = counts;
  result.p_c = ratio<Ratio>(counts.tp, counts.tp + counts.fp);
  result.p_f = ratio<Ratio>(counts.foil_tp, counts.foil_tp + counts.foil_fp);
  result.acc = ratio<Ratio>(counts.tp + counts.tn, counts.n_pos + counts.n_neg);
  return result;
}

// The reference sorts NaN above every number, the earliest highest, and never as a tie.
template <typename Real>
double compat_auroc(FlatTexts<Real> flat) {
  flat.has_padding = false;
  FlatTexts<Real> ranked = squashed(std::move(flat));
  const size_t count = ranked.texts.size();
  FlatTexts<double> finite;
  for (size_t i = 0; i < count; ++i) {
    const auto& text = ranked.texts[i];
    // With a NaN among them all others went through the sigmoid, so 1 is above them.
    const double rank = std::isnan(text.score) ? 1.0 + static_cast<double>(count - i) : text.score;
    finite.texts.push_back({rank, text.is_caption});
  }
  return static_cast<float>(auroc_of(finite).value_or(0.0));
}

template <typename Real>
FoilProbability compat_shares(const FlatTexts<Real>& flat) {
  FoilProbability result =
      shares_of<float>(count_texts(squashed(flat), squashed(reversed_of(flat))));
  result.auroc = compat_auroc(flat);
  return result;
}

}  // namespace

std::optional<ScorePlace> find_out_of_range(const ScoreRows& rows) {
  for (size_t row = 0; row < rows.size(); ++row) {
    for (size_t column = 0; column < rows[row].size(); ++column) {
      if (!is_probability(rows[row][column])) return ScorePlace{row, column};
    }
  }
  return std::nullopt;
}

FoilProbability foil_probability(const ScoreRows& rows) {
  if (auto place = find_out_of_range(rows)) {
    throw Error{
        ErrorCode::kInvalidInput,
        fmt::format("score_out_of_range: {} is not in [0, 1]", rows[place->row][place->column]),
        fmt::format("item {}, score {}", place->row, place->column),
        "scale the scores to probabilities, or use --mode similarity"};
  }
  FlatTexts<double> flat;
  for (std::span<const double> row : rows) {
    for (size_t column = 0; column < row.size(); ++column)
      flat.texts.push_back({row[column], column == 0});
  }
  FoilProbability result = shares_of<double>(count_texts(flat, reversed_of(flat)));
  result.auroc = auroc_of(flat);
  return result;
}

FoilProbability foil_probability_compat(const ScoreRows& rows, size_t num_columns) {
  FlatTexts<double> flat;
  for (std::span<const double> row : rows) {
    flat.has_padding = flat.has_padding || row.size() < num_columns;
    for (size_t column = 0; column < row.size(); ++column) {
      const double score = static_cast<float>(row[column]);
      if (std::isinf(score)) {
        flat.has_padding = true;
      } else {
        flat.texts.push_back({score, column == 0});
      }
    }
  }
  return compat_shares(flat);
}

FoilProbability foil_probability_multi_compat(const ScoreRows& rows) {
  FlatTexts<float> flat;
  for (std::span<const double> row : rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      flat.texts.push_back({static_cast<float>(row[column]), column == 0});
    }
  }
  return compat_shares(flat);
}

}  // namespace snellen::metrics
