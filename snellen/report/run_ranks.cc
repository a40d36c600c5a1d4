// SPDX-License-Identifier: Apache-2.0
#include "snellen/report/run_ranks.h"

#include <algorithm>

#include "snellen/stats/multiple.h"

namespace snellen::report {

std::vector<RankRow> rank_runs(const std::string& task,
                               size_t num_runs,
                               const std::vector<PairDecision>& pairs,
                               double alpha) {
  std::vector<double> p_values;
  for (const PairDecision& pair : pairs) p_values.push_back(pair.row.p.value_or(1.0));
  std::vector<double> adjusted = stats::holm(p_values);
  std::vector<RankRow> ranks(num_runs);
  auto take = [&](size_t run, double value, uint64_t n) {
    ranks[run] = {.task = task, .run = run, .value = value, .n = n};
  };
  for (const PairDecision& pair : pairs) {
    take(pair.first, pair.row.first, pair.row.n);
    take(pair.second, pair.row.second, pair.row.n);
  }
  auto num_ranked = static_cast<size_t>(std::count_if(
      ranks.begin(), ranks.end(), [](const RankRow& one) { return !one.task.empty(); }));
  for (RankRow& one : ranks) one.high = num_ranked;
  for (size_t i = 0; i < pairs.size(); ++i) {
    const ComparedRow& row = pairs[i].row;
    if (row.difference == 0.0 || row.n == 0) continue;
    bool is_later_better = row.difference > 0.0;
    RankRow& better = ranks[is_later_better ? pairs[i].second : pairs[i].first];
    RankRow& worse = ranks[is_later_better ? pairs[i].first : pairs[i].second];
    ++worse.rank;
    if (adjusted[i] >= alpha) continue;
    ++worse.low;
    --better.high;
  }
  std::erase_if(ranks, [](const RankRow& one) { return one.task.empty(); });
  return ranks;
}

}  // namespace snellen::report
