// SPDX-License-Identifier: Apache-2.0
// The words all benchmarks share: an item shows visuals and texts, asks for some (visual, text)
// scores, and its outcome says what the scores came to.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "snellen/questions/score_kind.h"

namespace snellen::tasks {

// One wanted score: indices into the item's visuals and texts.
struct Ask {
  uint32_t visual = 0;
  uint32_t text = 0;
};

struct Item {
  std::string id;  // unique within its task, e.g. "composition/0"
  std::string
      cluster;  // what it shares with other items (the picture); intervals resample these together
  std::string category;              // for breakdowns; empty when there is none
  std::vector<std::string> visuals;  // paths under the task's image folders
  std::vector<std::string> texts;
  std::vector<Ask> asks;
  std::vector<int64_t> layout;  // the task's own notes for judge(): list lengths, class indices
  // Set by the run before judge(): what the model says of its scores.
  questions::ScoreKind kind = questions::ScoreKind::kSimilarity;
  std::vector<int64_t> frames = {};  // of its clip, those the model looked at
  std::vector<Ask> right = {};       // which of the asks are right, where a metric alone decides
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
