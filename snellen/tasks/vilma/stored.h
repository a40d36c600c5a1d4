// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "snellen/tasks/item.h"
#include "snellen/tasks/vilma/sources.h"

namespace snellen::tasks::vilma {

// What is stored of an item beyond its decisions, so that every metric can be made again from it;
// a list that no file had is left out. Scores that a model made also have their mode, the frames it
// looked at and, of items that are not measured, evaluated = false.
struct StoredScores {
  size_t num_foils = 0;
  size_t num_prof_foils = 0;
  ItemScores scores;
  std::optional<metrics::FoilMode> mode = std::nullopt;
  bool is_evaluated = true;
  std::vector<int64_t> frames = {};
};

NamedValues named_values(const SourceItem& item);
NamedValues named_values(const StoredScores& stored);
// Throws kInvalidInput for anything that named_values() does not give.
StoredScores stored_scores(const StoredItem& item);

}  // namespace snellen::tasks::vilma
