// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/engine/duplicates.h"

#include <fmt/format.h>

#include "snellen/base/hash.h"

namespace snellen::run {

bool DuplicateGuard::check(store::Sample& sample) {
  const uint64_t first = first_position(sample.task, fnv1a64(sample.item), sample.position);
  if (first == sample.position) return false;
  sample.error = Error{ErrorCode::kInvalidInput,
                       fmt::format("id {} was already used at position {}", sample.item, first),
                       fmt::format("position {}", sample.position),
                       "give every group an id of its own"};
  sample.item = fmt::format("{}#{}", sample.item, sample.position);
  sample.status = store::SampleStatus::kFailed;
  sample.scores.clear();
  sample.values.clear();
  sample.ties = 0;
  sample.is_correct.reset();
  sample.detail = {};
  return true;
}

}  // namespace snellen::run
