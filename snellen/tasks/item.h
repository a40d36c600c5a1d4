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
#include "snellen/tasks/named_values.h"

namespace snellen::tasks {

struct Item {
  std::string id;  // unique within its task, e.g. "composition/0"
  // What it shares with other items, one or two of: its picture, both its pictures, its video.
  // Intervals take items that share one together.
  std::vector<std::string> clusters = {};
  std::string category;  // for breakdowns; empty when there is none
  std::vector<questions::Visual> visuals = {};
  questions::Texts texts = {};
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
  NamedValues named = {};  // what pooled metrics and seed-format files need beyond the columns
  // Which of the item's scores are stored, by their place, where it has too many to store all.
  std::optional<std::vector<uint32_t>> stored_scores = std::nullopt;
};

// An item that was scored, as it was stored.
struct StoredItem {
  uint64_t position = 0;
  std::string id;
  std::vector<std::string> clusters;
  std::string category;
  Outcome outcome;
};

}  // namespace snellen::tasks
