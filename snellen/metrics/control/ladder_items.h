// SPDX-License-Identifier: Apache-2.0
// Single answers -> ladders, and the groups whose consistency is asked for
// (docs/spec/bias.md 1.5, 1.6).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "snellen/metrics/bias/answer_consistency.h"
#include "snellen/metrics/control/control_ladder.h"

namespace snellen::metrics {

// One answer to one question at one level. Answers that failed (no reply at all) are not given.
struct LevelAnswer {
  std::string id;
  std::string image;
  std::string category;
  std::string condition;
  std::string subset;
  size_t level = 0;  // 0 is clean
  int64_t replicate = 0;
  int64_t order = 0;
  LadderAnswer answer;
};

struct LadderSet {
  std::vector<LadderItem>
      items;  // in order of first appearance, replicates and orders within an id sorted
  std::vector<std::string>
      incomplete;  // "id" or "id (replicate 1, order 0)" of ladders that lack a level
  std::vector<std::vector<bool>>
      is_asked;  // per item and level: answered for this very ladder, not borrowed or padded
};

// Each (id, replicate, order) is a ladder. Clean pictures are asked once per order, so a replicate
// without a clean answer takes that of replicate 0. With `pads_early_stop` levels after a last C
// count as C. Throws kInvalidInput for a level out of range or answered twice.
LadderSet build_ladders(std::span<const LevelAnswer> answers,
                        size_t num_levels,
                        bool pads_early_stop = false);

enum class ConsistencyOver { kReplicates, kOrders };
// The answers to the same item and level (and order, or replicate) as groups for
// answer_consistency().
std::vector<std::vector<AnswerClass>> consistency_groups(std::span<const LevelAnswer> answers,
                                                         ConsistencyOver over);

}  // namespace snellen::metrics
