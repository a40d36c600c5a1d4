// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/duplicates.h"

#include <fmt/format.h>

#include "snellen/base/hash.h"

namespace snellen::run {

bool DuplicateGuard::check(store::Sample& sample) {
  auto [first, is_new] = positions_.at(sample.task).emplace(fnv1a64(sample.item), sample.position);
  if (is_new || first->second == sample.position) return false;
  sample.error =
      Error{ErrorCode::kInvalidInput,
            fmt::format("id {} was already used at position {}", sample.item, first->second),
            fmt::format("position {}", sample.position),
            "give every group an id of its own"};
  sample.item = fmt::format("{}#{}", sample.item, sample.position);
  sample.status = store::SampleStatus::kFailed;
  sample.scores.clear();
  sample.values.clear();
  sample.ties = 0;
  sample.is_correct.reset();
  sample.detail.clear();
  return true;
}

}  // namespace snellen::run
