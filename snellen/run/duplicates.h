// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "snellen/store/samples.h"

namespace snellen::run {

// Item ids must be unique within a task, or a comparison could not join two runs. The later of two
// items of one id is turned into a failure that names the first; feed samples in order of position.
class DuplicateGuard {
 public:
  // Seeds the guard with what is recorded already.
  explicit DuplicateGuard(store::Samples& samples);
  void check(store::Sample& sample);

 private:
  void remember(uint32_t task, const std::string& item, uint64_t position);

  std::vector<std::unordered_map<uint64_t, uint64_t>>
      positions_;  // per task: hash of id -> first position
};

}  // namespace snellen::run
