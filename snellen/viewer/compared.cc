// SPDX-License-Identifier: Apache-2.0
#include "snellen/viewer/compared.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace snellen::viewer {
namespace {

using store::ItemColumns;
using store::ItemOutcome;

constexpr auto kAgreements = std::to_array<std::pair<Agreement, std::string_view>>({
    {Agreement::kAll, "all"},
    {Agreement::kDiffer, "differ"},
    {Agreement::kBothRight, "both_right"},
    {Agreement::kBothWrong, "both_wrong"},
    {Agreement::kOnlyFirst, "only_first"},
    {Agreement::kOnlySecond, "only_second"},
    {Agreement::kEveryRight, "every_right"},
    {Agreement::kEveryWrong, "every_wrong"},
});

// Right, wrong (a tie is), or neither.
int judged(ItemOutcome outcome) {
  if (outcome == ItemOutcome::kRight) return 1;
  return outcome == ItemOutcome::kWrong || outcome == ItemOutcome::kTie ? 0 : -1;
}

}  // namespace

std::optional<Agreement> agreement_of(std::string_view name) {
  for (const auto& [agreement, own] : kAgreements)
    if (own == name) return agreement;
  return std::nullopt;
}

ComparedItems join_items(std::span<const ItemColumns* const> runs) {
  ComparedItems joined;
  joined.rows.resize(runs.size());
  if (runs.empty()) return joined;
  // All are sorted by key: one walk over all of them.
  std::vector<size_t> at(runs.size(), 0);
  std::vector<std::vector<uint32_t>> found;
  const ItemColumns& first = *runs.front();
  std::vector<std::pair<uint32_t, std::vector<uint32_t>>> common;
  for (const uint32_t row : first.by_key) {
    const uint64_t key = first.item_keys[row];
    bool is_common = true;
    for (size_t i = 1; i < runs.size() && is_common; ++i) {
      const ItemColumns& other = *runs[i];
      while (at[i] < other.size() && other.item_keys[other.by_key[at[i]]] < key) ++at[i];
      is_common = at[i] < other.size() && other.item_keys[other.by_key[at[i]]] == key;
    }
    if (!is_common) continue;
    joined.rows[0].push_back(row);
    for (size_t i = 1; i < runs.size(); ++i) joined.rows[i].push_back(runs[i]->by_key[at[i]]);
  }
  // In the order of the first run.
  std::vector<uint32_t> order(joined.rows[0].size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return joined.rows[0][a] < joined.rows[0][b];
  });
  for (std::vector<uint32_t>& rows : joined.rows) {
    std::vector<uint32_t> sorted;
    sorted.reserve(rows.size());
    for (const uint32_t i : order) sorted.push_back(rows[i]);
    rows = std::move(sorted);
  }
  return joined;
}

ComparedPage compared_page(std::span<const ItemColumns* const> runs,
                           const ComparedItems& joined,
                           const store::ItemFilter& filter,
                           Agreement shown,
                           CompareSort sort,
                           uint64_t offset,
                           size_t count) {
  ComparedPage page;
  const store::RowTest passes(*runs.front(), filter);
  auto outcome = [&](size_t run, uint32_t item) {
    return judged(runs[run]->outcomes[joined.rows[run][item]]);
  };
  std::vector<std::pair<double, uint32_t>> listed;
  for (uint32_t item = 0; item < joined.size(); ++item) {
    if (!passes(joined.rows[0][item])) continue;
    const int first = outcome(0, item), second = runs.size() > 1 ? outcome(1, item) : first;
    bool differs = false;
    for (size_t run = 1; run < runs.size(); ++run) differs |= outcome(run, item) != first;
    page.differ += differs;
    page.every_right += !differs && first == 1;
    page.every_wrong += !differs && first == 0;
    const Agreement agreement = first < 0 || second < 0     ? Agreement::kAll
                                : first == 1 && second == 1 ? Agreement::kBothRight
                                : first == 0 && second == 0 ? Agreement::kBothWrong
                                : first == 1                ? Agreement::kOnlyFirst
                                                            : Agreement::kOnlySecond;
    ++(agreement == Agreement::kAll         ? page.counts.undecided
       : agreement == Agreement::kBothRight ? page.counts.both_right
       : agreement == Agreement::kBothWrong ? page.counts.both_wrong
       : agreement == Agreement::kOnlyFirst ? page.counts.only_first
                                            : page.counts.only_second);
    const bool is_listed = shown == Agreement::kAll          ? true
                           : shown == Agreement::kDiffer     ? differs
                           : shown == Agreement::kEveryRight ? !differs && first == 1
                           : shown == Agreement::kEveryWrong ? !differs && first == 0
                                                             : shown == agreement;
    if (!is_listed) continue;
    double apart = 0;
    if (sort == CompareSort::kApart && runs.size() > 1) {
      apart =
          std::abs(runs[0]->margins[joined.rows[0][item]] - runs[1]->margins[joined.rows[1][item]]);
      if (std::isnan(apart)) apart = -1;
    }
    listed.emplace_back(-apart, item);
  }
  page.total = listed.size();
  if (offset < listed.size()) {
    const auto begin = listed.begin() + static_cast<ptrdiff_t>(offset);
    const auto end =
        begin + static_cast<ptrdiff_t>(std::min<uint64_t>(count, listed.size() - offset));
    if (sort == CompareSort::kApart) {
      std::nth_element(listed.begin(), begin, listed.end());
      std::partial_sort(begin, end, listed.end());
    }
    for (auto at = begin; at != end; ++at) page.items.push_back(at->second);
  }
  return page;
}

}  // namespace snellen::viewer
