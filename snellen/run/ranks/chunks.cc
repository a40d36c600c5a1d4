// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ranks/chunks.h"

#include <algorithm>

#include "snellen/base/hash.h"
#include "snellen/base/ordered_pipeline.h"
#include "snellen/base/splitmix.h"
#include "snellen/run/scoring.h"

namespace snellen::run {
namespace {

constexpr uint64_t kMostChunks = 16'384;  // until they would be larger than this:
constexpr uint64_t kMostItemsPerChunk = 2048;
constexpr uint64_t kLeastItemsPerChunk = 64;
constexpr uint64_t kItemsAtOnce = 4096;

struct SurveyedItem {
  uint64_t index = 0;
  PlannedItem planned;
  uint64_t id_hash = 0;
  uint64_t chunk = 0;
};

}  // namespace

uint64_t num_chunks(uint64_t num_items) {
  uint64_t size = std::clamp(num_items / kMostChunks, kLeastItemsPerChunk, kMostItemsPerChunk);
  return std::max<uint64_t>(1, (num_items + size - 1) / size);
}

Survey survey_items(const SurveyRequest& request) {
  const Plan& plan = request.plan;
  const uint64_t count = num_chunks(plan.size());
  Survey survey{std::vector<std::vector<uint64_t>>(count), DuplicateGuard(request.tasks.size())};
  auto look = [&](uint64_t batch) {
    std::vector<SurveyedItem> found;
    uint64_t end = std::min(plan.size(), (batch + 1) * kItemsAtOnce);
    for (uint64_t index = batch * kItemsAtOnce; index < end; ++index) {
      PlannedItem planned = plan[index];
      const OpenTask& task = request.tasks[planned.task];
      Result<tasks::Item> item = task.task->item(planned.position);
      const tasks::Item* shown = item ? &*item : nullptr;
      if (!is_of_shard(request.shard, shown, planned.position)) continue;
      // Mixed once more: shards take all places of one remainder.
      found.push_back({index,
                       planned,
                       fnv1a64(name_of_item(task, planned, item)),
                       splitmix64(place_of(shown, planned.position)) % count});
    }
    return found;
  };
  ordered_pipeline<std::vector<SurveyedItem>>(
      (plan.size() + kItemsAtOnce - 1) / kItemsAtOnce,
      request.num_threads,
      look,
      [&](std::vector<SurveyedItem>&& found) {
        for (const SurveyedItem& one : found) {
          survey.guard.foresee(one.planned.task, one.id_hash, one.planned.position);
          if (!request.done[one.planned.task][one.planned.position])
            survey.chunks[one.chunk].push_back(one.index);
        }
      },
      [] { return false; });
  return survey;
}

}  // namespace snellen::run
