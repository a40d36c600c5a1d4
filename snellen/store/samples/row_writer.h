// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "snellen/store/database.h"
#include "snellen/store/samples/recent_ids.h"
#include "snellen/store/samples/sample.h"
#include "snellen/store/samples/schema.h"

namespace snellen::store {

// Turns samples into rows. Texts and visuals that come again are stored once, as far as memory of a
// bounded size tells. One thread at a time; void after add() has thrown.
class RowWriter {
 public:
  RowWriter(Database& database, RowLayout layout);

  // Within the caller's transaction.
  void add(std::span<const Sample> batch);

 private:
  // The numbers by which a row names what its item shows and asks; 0: none.
  struct References {
    std::span<const int64_t> visuals;
    std::span<const int64_t> texts;
    int64_t more_visuals = 0;
    int64_t more_texts = 0;
    int64_t pairs = 0;
    int64_t detail = 0;
  };

  References refer(const Sample& sample);
  int64_t visual_id(uint32_t task, const ShownVisual& visual);
  int64_t list_id(std::span<const int64_t> members);
  int64_t pairs_id(const Sample& sample);
  int64_t shape_id(const std::string& shape);
  void load_recent();
  void add_rows(std::span<const Sample> batch, std::span<const References> references);
  void add_lists(std::span<const Sample> batch);
  void add_failures(std::span<const Sample> batch);

  Database& database_;
  RowLayout layout_;
  RecentIds visuals_;
  RecentIds texts_;
  RecentIds lists_;
  RecentIds pairs_;
  RecentIds shapes_;
  struct NewText {
    int64_t id;
    const std::string* text;
  };
  struct NewVisual {
    int64_t id;
    uint32_t task;
    const ShownVisual* visual;
    std::optional<ShownVisual::Read> read;
    std::string key;
  };
  // Of the batch:
  std::vector<int64_t> ids_;  // of all its visuals and texts
  std::vector<NewText> new_texts_;
  std::vector<NewVisual> new_visuals_;
};

}  // namespace snellen::store
