// SPDX-License-Identifier: Apache-2.0
// The items that several runs have in common, and who got them right.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "snellen/store/browse/item_index.h"

namespace snellen::viewer {

// Which items of a comparison are listed.
// "Both" are the first two runs, "every" all of them.
enum class Agreement {
  kAll,
  kDiffer,
  kBothRight,
  kBothWrong,
  kOnlyFirst,
  kOnlySecond,
  kEveryRight,
  kEveryWrong,
};
std::optional<Agreement> agreement_of(std::string_view name);

struct ComparedItems {
  // Row of the item in every run, run by run; items in the order of the first run.
  std::vector<std::vector<uint32_t>> rows;
  size_t size() const { return rows.empty() ? 0 : rows.front().size(); }
};

// By task, part and item.
ComparedItems join_items(std::span<const store::ItemColumns* const> runs);

struct AgreementCounts {
  uint64_t both_right = 0, both_wrong = 0, only_first = 0, only_second = 0;
  uint64_t undecided = 0;  // in one of them at least
};

struct ComparedPage {
  AgreementCounts counts;  // of the first two runs, over all that pass the filter
  uint64_t differ = 0;     // where any two of all runs differ
  uint64_t every_right = 0, every_wrong = 0;
  uint64_t total = 0;           // that are listed, over all pages
  std::vector<uint32_t> items;  // of ComparedItems
};

enum class CompareSort { kOrder, kApart };  // kApart: largest difference of the margins first

ComparedPage compared_page(std::span<const store::ItemColumns* const> runs,
                           const ComparedItems& joined,
                           const store::ItemFilter& filter,  // of the first run
                           Agreement shown,
                           CompareSort sort,
                           uint64_t offset,
                           size_t count);

}  // namespace snellen::viewer
