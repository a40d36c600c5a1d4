// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "snellen/run/engine/duplicates.h"
#include "snellen/run/plan.h"

namespace snellen::run {

// How many chunks a plan of this many items is cut into: enough that many ranks end together, not
// so many that handing them out costs. A function of the plan alone, never of the number of ranks.
uint64_t num_chunks(uint64_t num_items);

struct SurveyRequest {
  const Plan& plan;
  const std::vector<OpenTask>& tasks;
  Shard shard;
  const std::vector<std::vector<bool>>& done;  // by task and position: items that need no scoring
  unsigned num_threads = 1;
};

// What one look at every item of a plan tells.
struct Survey {
  // Numbers of items of the plan that are still to be scored, ascending in each chunk. Items that
  // begin with the same visual are in one chunk, so that few pictures are read by two ranks.
  std::vector<std::vector<uint64_t>> chunks;
  // Knows the first place of every id of this shard, so that samples may come in any order.
  DuplicateGuard guard;
};
Survey survey_items(const SurveyRequest& request);

}  // namespace snellen::run
