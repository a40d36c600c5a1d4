// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "snellen/annotations/vilma/vilma_json.h"
#include "snellen/tasks/vilma/sources.h"

namespace snellen::tasks::vilma {

// What samples.db keeps of an item beyond its decisions, so that every metric can be made again
// from it: {"foils": 1, "prof_foils": 1, "prof": [..], "main": [..]}; a list that no file had is
// left out, NaN and infinities stand as Python writes them. Scores that a model made also have
// "mode", "frames" (those it looked at) and, of items that are not measured, "evaluated": false.
struct StoredScores {
  size_t num_foils = 0;
  size_t num_prof_foils = 0;
  ItemScores scores;
  std::optional<metrics::FoilMode> mode = std::nullopt;
  bool is_evaluated = true;
  std::vector<int64_t> frames = {};
};

std::string stored_json(const SourceItem& item);
std::string stored_json(const StoredScores& stored);
// Throws kInvalidInput for anything that stored_json() does not write.
StoredScores read_stored(annotations::PythonJsonParser& parser,
                         std::string_view json,
                         const std::string& id);

}  // namespace snellen::tasks::vilma
