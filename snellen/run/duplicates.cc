// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/duplicates.h"

#include <fmt/format.h>

#include "snellen/base/hash.h"

namespace snellen::run {

DuplicateGuard::DuplicateGuard(store::Samples& samples) {
  std::vector<store::TaskRecord> records = samples.tasks();
  positions_.resize(records.size());
  for (uint32_t task = 0; task < records.size(); ++task) {
    samples.for_each(task, std::nullopt, [&](const store::Sample& sample) {
      remember(task, sample.item, sample.position);
    });
  }
}

void DuplicateGuard::remember(uint32_t task, const std::string& item, uint64_t position) {
  positions_.at(task).emplace(fnv1a64(item), position);
}

void DuplicateGuard::check(store::Sample& sample) {
  auto [first, is_new] = positions_.at(sample.task).emplace(fnv1a64(sample.item), sample.position);
  if (is_new || first->second == sample.position) return;
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
}

}  // namespace snellen::run
