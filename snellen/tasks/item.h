// SPDX-License-Identifier: Apache-2.0
// The words all benchmarks share: an item asks questions about visuals and texts, and its outcome
// says what the answers came to.
#pragma once

#include <any>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "snellen/questions/question.h"

namespace snellen::tasks {

struct Item {
  std::string id;  // unique within its task, e.g. "composition/0"
  std::string
      cluster;  // what it shares with other items (the picture); intervals resample these together
  std::string category;  // for breakdowns; empty when there is none
  std::vector<questions::Visual> visuals = {};
  std::vector<questions::Text> texts = {};
  std::vector<questions::Question> questions = {};
  // Which pairs of those asked are right, where a metric alone decides.
  std::vector<questions::Pair> right = {};
  std::any payload = {};  // what its task needs to judge it; see typed_task.h
};

// One value a task gives for every item; its mean over the items of a part is the metric
// `task/part/name`.
struct Column {
  std::string name;
  bool is_share = false;  // 0 or 1 per item
  bool higher_is_better = true;
  std::optional<double> chance = std::nullopt;
  bool has_breakdown = false;  // also reported per category
};

struct Outcome {
  std::vector<double> values;                     // one per column; NaN: undefined for this item
  uint64_t tied_columns = 0;                      // bit i: column i was decided by the tie rule
  std::optional<bool> is_correct = std::nullopt;  // the item's headline decision
  double margin =
      std::numeric_limits<double>::quiet_NaN();  // by how much the right one led; negative: lost
  std::string detail =
      {};  // JSON that the seed-format files need beyond the columns; empty when nothing
};

// An item that was scored, as it was stored.
struct StoredItem {
  uint64_t position = 0;
  std::string id;
  std::string cluster;
  std::string category;
  Outcome outcome;
};

}  // namespace snellen::tasks
