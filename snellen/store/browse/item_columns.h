// SPDX-License-Identifier: Apache-2.0
// The items of a run as columns: a million of them are filtered and sorted in a few milliseconds.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace snellen::store {

// What became of an item.
enum class ItemOutcome : uint8_t { kRight, kWrong, kTie, kUndecided, kFailed, kSkipped };
std::string_view name_of(ItemOutcome outcome);
std::optional<ItemOutcome> outcome_of(std::string_view name);

struct ItemColumns {
  struct Group {
    uint32_t task = 0;
    uint32_t part = 0;
    bool operator==(const Group&) const = default;
  };
  std::vector<Group> groups;
  std::vector<std::string> categories;  // the first is empty
  std::vector<std::string> tags;        // the first is empty

  // One per item, in the order of the run.
  std::vector<int64_t> ids;  // of samples.db
  std::vector<double> margins;
  std::vector<ItemOutcome> outcomes;
  std::vector<uint16_t> group;
  std::vector<uint16_t> category;
  std::vector<uint32_t> tags_end;     // where its tags end in tags_of_rows; the next row's follow
  std::vector<uint64_t> item_keys;    // of task, part and item: the same in every run
  std::vector<uint64_t> visual_keys;  // of its first picture or clip; 0 for none

  std::vector<uint16_t> tags_of_rows;  // row after row
  // Items that are missing because samples.db is damaged where they were.
  uint64_t num_unreadable = 0;

  // Rows by margin, undefined ones last; and by item key.
  std::vector<uint32_t> by_margin;
  std::vector<uint32_t> by_key;

  size_t size() const { return ids.size(); }
  std::span<const uint16_t> tags_of(uint32_t row) const {
    const uint32_t begin = row == 0 ? 0 : tags_end[row - 1];
    return {tags_of_rows.data() + begin, tags_of_rows.data() + tags_end[row]};
  }
  // The row of an item; nothing when it is not there.
  std::optional<uint32_t> row_of(uint64_t item_key) const;
  std::optional<uint32_t> row_of_id(int64_t id) const;
  // Fills in by_margin and by_key.
  void sort();
};

uint64_t item_key(std::string_view task, std::string_view part, std::string_view item);

enum class ItemSort { kOrder, kMarginUp, kMarginDown, kDoubt };  // kDoubt: least |margin| first
std::optional<ItemSort> sort_of(std::string_view name);

struct ItemFilter {
  std::optional<uint32_t> task = std::nullopt;
  std::optional<uint32_t> part = std::nullopt;  // of the task
  std::string category = {};                    // empty: any
  std::string tag = {};                         // one of its tags; empty: any
  std::optional<ItemOutcome> outcome = std::nullopt;
  double least_margin = -std::numeric_limits<double>::infinity();
  double most_margin = std::numeric_limits<double>::infinity();
  // Only rows that are set; empty: all.
  std::span<const uint8_t> kept = {};
};

// Whether a row passes, without going through all of them.
class RowTest {
 public:
  RowTest(const ItemColumns& columns, const ItemFilter& filter);
  bool operator()(uint32_t row) const;

 private:
  const ItemColumns& columns_;
  const ItemFilter& filter_;
  std::vector<uint8_t> has_group_;
  std::optional<uint16_t> category_, tag_;
  bool is_bounded_, is_none_ = false;
};

struct FoundRows {
  uint64_t total = 0;
  std::vector<uint32_t> rows;  // `count` of them from `offset` on
};
FoundRows find_rows(const ItemColumns& columns,
                    const ItemFilter& filter,
                    ItemSort sort,
                    uint64_t offset,
                    size_t count);

// Margins of the items that pass, in equal bins over their range.
struct MarginHistogram {
  struct Bin {
    double low = 0, high = 0;
    uint64_t right = 0, wrong = 0, others = 0;
  };
  std::vector<Bin> bins;
  uint64_t ties = 0;
  uint64_t undefined = 0;
};
MarginHistogram margin_histogram(const ItemColumns& columns,
                                 const ItemFilter& filter,
                                 size_t num_bins);

}  // namespace snellen::store
