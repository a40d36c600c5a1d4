// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/foil_probability.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "snellen/base/error.h"

namespace snellen::metrics {
namespace {

bool is_probability(double x) {
  return x >= 0.0 && x <= 1.0;
}

// Texts of the flat list: those that count and, for the compat sigmoid rule, whether padding stood
// among them.
template <typename Real>
struct FlatTexts {
  std::vector<Real> captions;
  std::vector<Real> foils;
  bool has_padding = false;
};

template <typename Real>
Real sigmoid(Real x) {
  return Real(1) / (Real(1) + std::exp(-x));
}

// The sigmoid rule: one value outside [0, 1] and all are squashed.
template <typename Real>
bool needs_sigmoid(const FlatTexts<Real>& texts) {
  auto is_outside = [](Real x) { return !is_probability(x); };
  return texts.has_padding ||
         std::any_of(texts.captions.begin(), texts.captions.end(), is_outside) ||
         std::any_of(texts.foils.begin(), texts.foils.end(), is_outside);
}

template <typename Real, typename Map>
FlatTexts<Real> mapped(FlatTexts<Real> texts, Map map) {
  for (Real& x : texts.captions) x = map(x);
  for (Real& x : texts.foils) x = map(x);
  return texts;
}

template <typename Real>
FlatTexts<Real> squashed(FlatTexts<Real> texts) {
  return needs_sigmoid(texts) ? mapped(std::move(texts), sigmoid<Real>) : texts;
}

template <typename Real>
uint64_t count_above_half(const std::vector<Real>& scores) {
  return static_cast<uint64_t>(
      std::count_if(scores.begin(), scores.end(), [](Real x) { return x > Real(0.5); }));
}

// `texts` answers "is it a caption", `reversed` (1 - score) "is it a foil".
template <typename Real>
FoilCounts count_texts(const FlatTexts<Real>& texts, const FlatTexts<Real>& reversed) {
  FoilCounts counts;
  counts.n_pos = texts.captions.size();
  counts.n_neg = texts.foils.size();
  counts.tp = count_above_half(texts.captions);
  counts.fp = count_above_half(texts.foils);
  counts.fn = counts.n_pos - counts.tp;
  counts.tn = counts.n_neg - counts.fp;
  counts.foil_tp = count_above_half(reversed.foils);
  counts.foil_fp = count_above_half(reversed.captions);
  return counts;
}

template <typename Real>
FlatTexts<Real> reversed_of(const FlatTexts<Real>& texts) {
  return mapped(texts, [](Real x) { return Real(1) - x; });
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

template <typename Real>
double compat_auroc(FlatTexts<Real> texts) {
  texts.has_padding = false;
  const FlatTexts<Real> ranked = squashed(std::move(texts));
  const std::vector<double> captions(ranked.captions.begin(), ranked.captions.end());
  const std::vector<double> foils(ranked.foils.begin(), ranked.foils.end());
  return static_cast<float>(foil_auroc(captions, foils).value_or(0.0));
}

template <typename Real>
FoilProbability compat_shares(const FlatTexts<Real>& texts) {
  FoilProbability result =
      shares_of<float>(count_texts(squashed(texts), squashed(reversed_of(texts))));
  result.auroc = compat_auroc(texts);
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
  FlatTexts<double> texts;
  for (std::span<const double> row : rows) {
    if (row.empty()) continue;
    texts.captions.push_back(row[0]);
    texts.foils.insert(texts.foils.end(), row.begin() + 1, row.end());
  }
  FoilProbability result = shares_of<double>(count_texts(texts, reversed_of(texts)));
  result.auroc = foil_auroc(texts.captions, texts.foils);
  return result;
}

FoilProbability foil_probability_compat(const ScoreRows& rows, size_t num_columns) {
  FlatTexts<double> texts;
  for (std::span<const double> row : rows) {
    texts.has_padding = texts.has_padding || row.size() < num_columns;
    for (size_t column = 0; column < row.size(); ++column) {
      const double score = static_cast<float>(row[column]);
      if (std::isinf(score)) {
        texts.has_padding = true;
      } else {
        (column == 0 ? texts.captions : texts.foils).push_back(score);
      }
    }
  }
  return compat_shares(texts);
}

FoilProbability foil_probability_multi_compat(const ScoreRows& rows) {
  FlatTexts<float> texts;
  for (std::span<const double> row : rows) {
    for (size_t column = 0; column < row.size(); ++column) {
      (column == 0 ? texts.captions : texts.foils).push_back(static_cast<float>(row[column]));
    }
  }
  return compat_shares(texts);
}

std::optional<double> foil_auroc(std::span<const double> captions, std::span<const double> foils) {
  if (captions.empty() || foils.empty()) return std::nullopt;
  struct Text {
    double score;
    bool is_caption;
  };
  std::vector<Text> texts;
  texts.reserve(captions.size() + foils.size());
  for (double score : captions) texts.push_back({score, true});
  for (double score : foils) texts.push_back({score, false});
  std::stable_sort(texts.begin(), texts.end(), [](const Text& a, const Text& b) {
    if (std::isnan(a.score) || std::isnan(b.score))
      return !std::isnan(a.score) && std::isnan(b.score);
    return a.score < b.score;
  });
  // Twice the number of won pairs, so that a tie is a whole one; exact up to 2^63 pairs.
  uint64_t twice_won = 0;
  uint64_t foils_below = 0;
  for (size_t first = 0; first < texts.size();) {
    size_t last = first + 1;
    while (last < texts.size() && texts[last].score == texts[first].score) ++last;
    const auto captions_here =
        static_cast<uint64_t>(std::count_if(texts.begin() + static_cast<std::ptrdiff_t>(first),
                                            texts.begin() + static_cast<std::ptrdiff_t>(last),
                                            [](const Text& text) { return text.is_caption; }));
    const uint64_t foils_here = last - first - captions_here;
    twice_won += captions_here * (2 * foils_below + foils_here);
    foils_below += foils_here;
    first = last;
  }
  return static_cast<double>(twice_won) / 2.0 /
         (static_cast<double>(captions.size()) * static_cast<double>(foils.size()));
}

}  // namespace snellen::metrics
