// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "snellen/store/samples.h"

namespace snellen::run {

// Item ids must be unique within a task, or a comparison could not join two runs. The later of two
// items of one id is turned into a failure that names the first. Feed samples in order of position,
// or in any order after all their ids were foreseen.
class DuplicateGuard {
 public:
  explicit DuplicateGuard(size_t num_tasks) : positions_(num_tasks) {}

  // An item that will come, by the fnv1a64 of its id; in order of position.
  void foresee(uint32_t task, uint64_t id_hash, uint64_t position) {
    positions_.at(task).emplace(id_hash, position);
  }
  // Whether the sample was changed.
  bool check(store::Sample& sample);

 private:
  std::vector<std::unordered_map<uint64_t, uint64_t>>
      positions_;  // per task: hash of id -> first position
};

}  // namespace snellen::run
