// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "snellen/base/distinct_ids.h"
#include "snellen/store/samples.h"

namespace snellen::run {

// Item ids must be unique within a task, or a comparison could not join two runs. The later of two
// items of one id is turned into a failure that names the first. Feed samples in order of position,
// or in any order after all their ids were foreseen.
class DuplicateGuard {
 public:
  explicit DuplicateGuard(size_t num_tasks) : known_(num_tasks) {}

  // An item that will come, by the fnv1a64 of its id; in order of position.
  void foresee(uint32_t task, uint64_t id_hash, uint64_t position) {
    first_position(task, id_hash, position);
  }
  // Whether the sample was changed.
  bool check(store::Sample& sample);

 private:
  // The position that came first with this id, which may be this one.
  uint64_t first_position(uint32_t task, uint64_t id_hash, uint64_t position) {
    Known& known = known_.at(task);
    auto [id, is_new] = known.ids.add({.low = id_hash, .high = 0});
    if (is_new) known.positions.push_back(position);
    return known.positions[id];
  }

  struct Known {
    DistinctIds ids;                  // hashes of the items' ids
    std::vector<uint64_t> positions;  // the first of each
  };
  std::vector<Known> known_;  // by task
};

}  // namespace snellen::run
