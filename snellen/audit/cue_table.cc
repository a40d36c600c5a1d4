// SPDX-License-Identifier: Apache-2.0
#include "snellen/audit/cue_table.h"

#include <algorithm>
#include <tuple>

#include "snellen/stats/cluster_mean.h"
#include "snellen/stats/interval.h"
#include "snellen/stats/multiple.h"

namespace snellen::audit {
namespace {

CueRow row_of(const Group& group,
              Cue cue,
              uint64_t n,
              double chance,
              const stats::MeanEstimate& estimate,
              double confidence) {
  CueRow row{.group = group,
             .cue = cue,
             .n = n,
             .value = chance + estimate.mean,
             .chance = chance,
             .p = stats::mean_test_p(estimate)};
  const stats::MeanInterval found =
      stats::interval_of(estimate, stats::ValueKind::kDifference, confidence);
  row.reason = found.reason;
  if (found.interval) {
    row.low = std::clamp(chance + found.interval->low, 0.0, 1.0);
    row.high = std::clamp(chance + found.interval->high, 0.0, 1.0);
  }
  return row;
}

}  // namespace

std::string_view name_of(Cue cue) {
  switch (cue) {
    case Cue::kCharacters:
      return "more characters";
    case Cue::kWords:
      return "more words";
    case Cue::kLikelihood:
      return "likelihood";
    case Cue::kBagOfWords:
      break;
  }
  return "bag of words";
}

bool Group::operator<(const Group& other) const {
  auto rank = [](const std::string& word) { return word == "all" ? 0 : word == "part" ? 1 : 2; };
  return std::make_tuple(rank(kind), name) < std::make_tuple(rank(other.kind), other.name);
}

void CueTable::add(const std::vector<Group>& groups,
                   std::span<const std::string> clusters,
                   const ItemCues& item) {
  for (const Group& group : groups) {
    Sums& sums = groups_[group];
    const size_t unit = sums.clusters.unit(clusters);
    for (size_t cue = 0; cue < kNumCues; ++cue) {
      if (!item.values[cue]) continue;
      sums.clusters.add(unit, cue, *item.values[cue] - item.chance);
      ++sums.n[cue];
      sums.chance[cue] += item.chance;
    }
    sums.num_choices += item.num_choices;
    sums.num_same_words += item.num_same_words;
  }
}

std::vector<CueRow> CueTable::rows(double confidence) const {
  std::vector<CueRow> rows;
  for (const auto& [group, sums] : groups_) {
    for (size_t cue = 0; cue < kNumCues; ++cue) {
      if (sums.n[cue] == 0) continue;
      rows.push_back(row_of(group,
                            static_cast<Cue>(cue),
                            sums.n[cue],
                            sums.chance[cue] / static_cast<double>(sums.n[cue]),
                            sums.clusters.estimate(cue),
                            confidence));
    }
  }
  std::vector<double> p_values;
  std::vector<CueRow*> tested;
  for (CueRow& row : rows) {
    if (!row.p) continue;
    p_values.push_back(*row.p);
    tested.push_back(&row);
  }
  const std::vector<double> adjusted = stats::holm(p_values);
  for (size_t i = 0; i < tested.size(); ++i) {
    CueRow& row = *tested[i];
    row.p_holm = adjusted[i];
    const bool is_far = adjusted[i] < 1.0 - confidence;
    row.is_alarm = is_far && (row.cue != Cue::kBagOfWords || row.value > row.chance);
  }
  return rows;
}

std::vector<WordOrderRow> CueTable::word_order(double confidence) const {
  std::vector<WordOrderRow> rows;
  for (const auto& [group, sums] : groups_) {
    WordOrderRow row{.group = group, .n = sums.num_choices, .num_same_words = sums.num_same_words};
    if (const auto found = stats::wilson(row.num_same_words, row.n, confidence)) {
      row.low = found->low;
      row.high = found->high;
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace snellen::audit
