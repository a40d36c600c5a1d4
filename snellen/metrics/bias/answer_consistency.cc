// SPDX-License-Identifier: Apache-2.0
#include "snellen/metrics/bias/answer_consistency.h"

#include <algorithm>
#include <array>

#include "snellen/metrics/choice/share.h"
#include "snellen/stats/agreement.h"

namespace snellen::metrics {
namespace {

using Counts = std::array<uint64_t, kNumAnswerClasses>;

Counts counts_of(std::span<const AnswerClass> answers) {
  Counts counts{};
  for (AnswerClass answer : answers) ++counts[static_cast<size_t>(answer)];
  return counts;
}

}  // namespace

AnswerConsistency answer_consistency(std::span<const std::vector<AnswerClass>> groups) {
  AnswerConsistency result;
  std::vector<uint64_t> table;
  size_t group_size = 0;
  bool is_even = true;
  for (const std::vector<AnswerClass>& group : groups) {
    if (group.size() < 2) continue;
    if (group_size == 0) group_size = group.size();
    is_even = is_even && group.size() == group_size;
    Counts counts = counts_of(group);
    ++result.num_groups;
    result.num_answers += group.size();
    result.num_agreeing += *std::max_element(counts.begin(), counts.end());
    table.insert(table.end(), counts.begin(), counts.end());
  }
  result.share = share(result.num_agreeing, result.num_answers);
  if (is_even && result.num_groups > 0)
    result.fleiss_kappa = stats::fleiss_kappa(table, kNumAnswerClasses);
  return result;
}

}  // namespace snellen::metrics
