// SPDX-License-Identifier: Apache-2.0
#include "snellen/annotations/visdial/ranks_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "snellen/annotations/visdial/dialog_entry.h"

namespace snellen::annotations {
namespace {

std::vector<uint32_t> ranks_in(Record& record) {
  std::array<bool, kNumCandidates> is_taken = {};
  std::vector<uint32_t> ranks;
  for (int64_t rank : record.integers("ranks")) {
    const bool is_rank = rank >= 1 && rank <= static_cast<int64_t>(kNumCandidates);
    if (!is_rank || is_taken[static_cast<size_t>(rank) - 1]) {
      record.fail(fmt::format("'ranks' is not each of 1 to {} once: {}", kNumCandidates, rank));
      return {};
    }
    is_taken[static_cast<size_t>(rank) - 1] = true;
    ranks.push_back(static_cast<uint32_t>(rank));
  }
  if (ranks.size() != kNumCandidates)
    record.fail(fmt::format("'ranks' has {} entries, expected {}", ranks.size(), kNumCandidates));
  return ranks;
}

}  // namespace

RanksFile::RanksFile(std::filesystem::path path)
    : elements_(std::move(path)), entries_(keyed_entries(elements_, [](Record& record) {
        const DialogKey key = read_key(record, /*first_round=*/1);
        ranks_in(record);
        return key;
      })) {}

std::vector<uint32_t> RanksFile::find(const DialogKey& key) const {
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), key, [](const KeyedEntry& entry, const DialogKey& wanted) {
        return entry.key < wanted;
      });
  if (found == entries_.end() || found->key != key) return {};
  Record record(elements_.element(found->entry), {});
  return ranks_in(record);
}

}  // namespace snellen::annotations
