// SPDX-License-Identifier: Apache-2.0
#include "snellen/store/browse/item_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "snellen/base/content_key.h"

namespace snellen::store {
namespace {

constexpr auto kOutcomes = std::to_array<std::pair<ItemOutcome, std::string_view>>({
    {ItemOutcome::kRight, "right"},
    {ItemOutcome::kWrong, "wrong"},
    {ItemOutcome::kTie, "tie"},
    {ItemOutcome::kUndecided, "undecided"},
    {ItemOutcome::kFailed, "failed"},
    {ItemOutcome::kSkipped, "skipped"},
});

constexpr auto kSorts = std::to_array<std::pair<ItemSort, std::string_view>>({
    {ItemSort::kOrder, "order"},
    {ItemSort::kMarginUp, "margin"},
    {ItemSort::kMarginDown, "-margin"},
    {ItemSort::kDoubt, "doubt"},
});

std::optional<uint16_t> place_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<uint16_t>(found - names.begin());
}

// Calls visit(row) for rows in the order asked for.
template <typename Visit>
void for_rows(const ItemColumns& columns, ItemSort sort, Visit visit) {
  const auto& ordered = columns.by_margin;
  switch (sort) {
    case ItemSort::kOrder:
      for (uint32_t row = 0; row < columns.size(); ++row) visit(row);
      return;
    case ItemSort::kMarginUp:
      for (const uint32_t row : ordered) visit(row);
      return;
    case ItemSort::kMarginDown: {
      const auto end = std::partition_point(ordered.begin(), ordered.end(), [&](uint32_t row) {
        return !std::isnan(columns.margins[row]);
      });
      for (auto at = end; at != ordered.begin();) visit(*--at);
      for (auto at = end; at != ordered.end(); ++at) visit(*at);
      return;
    }
    case ItemSort::kDoubt: {
      // From zero outwards on both sides.
      const auto end = std::partition_point(ordered.begin(), ordered.end(), [&](uint32_t row) {
        return !std::isnan(columns.margins[row]);
      });
      auto right = std::partition_point(
          ordered.begin(), end, [&](uint32_t row) { return columns.margins[row] < 0; });
      auto left = right;
      while (left != ordered.begin() || right != end) {
        const bool goes_right =
            left == ordered.begin() ||
            (right != end && columns.margins[*right] <= -columns.margins[*(left - 1)]);
        visit(goes_right ? *right++ : *--left);
      }
      for (auto at = end; at != ordered.end(); ++at) visit(*at);
      return;
    }
  }
}

}  // namespace

std::string_view name_of(ItemOutcome outcome) {
  return kOutcomes[static_cast<size_t>(outcome)].second;
}

std::optional<ItemOutcome> outcome_of(std::string_view name) {
  for (const auto& [outcome, own] : kOutcomes)
    if (own == name) return outcome;
  return std::nullopt;
}

std::optional<ItemSort> sort_of(std::string_view name) {
  for (const auto& [sort, own] : kSorts)
    if (own == name) return sort;
  return std::nullopt;
}

uint64_t item_key(std::string_view task, std::string_view part, std::string_view item) {
  std::string text(task);
  text.append("\t").append(part).append("\t").append(item);
  return content_key(text).low;
}

void ItemColumns::sort() {
  by_margin.resize(size());
  std::iota(by_margin.begin(), by_margin.end(), 0U);
  std::stable_sort(by_margin.begin(), by_margin.end(), [&](uint32_t a, uint32_t b) {
    if (std::isnan(margins[a])) return false;
    return std::isnan(margins[b]) || margins[a] < margins[b];
  });
  by_key.resize(size());
  std::iota(by_key.begin(), by_key.end(), 0U);
  std::stable_sort(by_key.begin(), by_key.end(), [&](uint32_t a, uint32_t b) {
    return item_keys[a] < item_keys[b];
  });
}

std::optional<uint32_t> ItemColumns::row_of(uint64_t wanted) const {
  const auto found = std::partition_point(
      by_key.begin(), by_key.end(), [&](uint32_t row) { return item_keys[row] < wanted; });
  if (found == by_key.end() || item_keys[*found] != wanted) return std::nullopt;
  return *found;
}

std::optional<uint32_t> ItemColumns::row_of_id(int64_t id) const {
  const auto found = std::lower_bound(ids.begin(), ids.end(), id);
  if (found == ids.end() || *found != id) return std::nullopt;
  return static_cast<uint32_t>(found - ids.begin());
}

RowTest::RowTest(const ItemColumns& columns, const ItemFilter& filter)
    : columns_(columns),
      filter_(filter),
      is_bounded_(std::isfinite(filter.least_margin) || std::isfinite(filter.most_margin)) {
  for (const ItemColumns::Group& group : columns.groups)
    has_group_.push_back((!filter.task || group.task == *filter.task) &&
                         (!filter.part || group.part == *filter.part));
  if (!filter.category.empty()) {
    category_ = place_of(columns.categories, filter.category);
    is_none_ = !category_;
  }
  if (!filter.tag.empty()) {
    tag_ = place_of(columns.tags, filter.tag);
    is_none_ = is_none_ || !tag_;
  }
}

bool RowTest::operator()(uint32_t row) const {
  if (is_none_ || has_group_[columns_.group[row]] == 0) return false;
  if (filter_.outcome && columns_.outcomes[row] != *filter_.outcome) return false;
  if (category_ && columns_.category[row] != *category_) return false;
  if (tag_) {
    const std::span<const uint16_t> tags = columns_.tags_of(row);
    if (std::find(tags.begin(), tags.end(), *tag_) == tags.end()) return false;
  }
  if (!filter_.kept.empty() && filter_.kept[row] == 0) return false;
  if (!is_bounded_) return true;
  const double margin = columns_.margins[row];
  return margin >= filter_.least_margin && margin <= filter_.most_margin;
}

FoundRows find_rows(const ItemColumns& columns,
                    const ItemFilter& filter,
                    ItemSort sort,
                    uint64_t offset,
                    size_t count) {
  const RowTest passes(columns, filter);
  FoundRows found;
  for_rows(columns, sort, [&](uint32_t row) {
    if (!passes(row)) return;
    if (found.total >= offset && found.rows.size() < count) found.rows.push_back(row);
    ++found.total;
  });
  return found;
}

MarginHistogram margin_histogram(const ItemColumns& columns,
                                 const ItemFilter& filter,
                                 size_t num_bins) {
  const RowTest passes(columns, filter);
  MarginHistogram histogram;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (uint32_t row = 0; row < columns.size(); ++row) {
    if (!passes(row) || !std::isfinite(columns.margins[row])) continue;
    low = std::min(low, columns.margins[row]);
    high = std::max(high, columns.margins[row]);
  }
  if (low > high) low = high = 0;
  if (low == high) high = low + 1;
  const double width = (high - low) / static_cast<double>(num_bins);
  for (size_t i = 0; i < num_bins; ++i)
    histogram.bins.push_back({.low = low + width * static_cast<double>(i),
                              .high = low + width * static_cast<double>(i + 1)});
  for (uint32_t row = 0; row < columns.size(); ++row) {
    if (!passes(row)) continue;
    histogram.ties += columns.outcomes[row] == ItemOutcome::kTie;
    if (!std::isfinite(columns.margins[row])) {
      ++histogram.undefined;
      continue;
    }
    const double place = (columns.margins[row] - low) / width;
    MarginHistogram::Bin& bin =
        histogram.bins[std::min(static_cast<size_t>(std::max(place, 0.0)), num_bins - 1)];
    ++(columns.outcomes[row] == ItemOutcome::kRight   ? bin.right
       : columns.outcomes[row] == ItemOutcome::kWrong ? bin.wrong
                                                      : bin.others);
  }
  return histogram;
}

}  // namespace snellen::store
