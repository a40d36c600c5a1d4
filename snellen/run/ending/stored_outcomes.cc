// SPDX-License-Identifier: Apache-2.0
#include "snellen/run/ending/stored_outcomes.h"

#include <fmt/format.h>

namespace snellen::run {

StoredOutcomes::StoredOutcomes(store::Samples& samples, const OpenTask& task, uint32_t number)
    : samples_(samples), task_(task), number_(number), num_columns_(task.task->columns().size()) {}

void StoredOutcomes::for_each_scored(std::string_view part,
                                     const std::function<void(const tasks::StoredItem&)>& visit) {
  uint32_t place = 0;
  while (place < task_.parts.size() && task_.parts[place].name != part) ++place;
  SNELLEN_CHECK(place < task_.parts.size());
  samples_.for_each(
      number_,
      place,
      [&](store::Sample& sample) {
        if (sample.status != store::SampleStatus::kScored) return;
        store::check_values(sample, num_columns_, samples_.path());
        tasks::NamedValues named = reader_.read(
            sample.detail.json(), fmt::format("samples.db: {} {}", task_.name, sample.item));
        // Tasks count clusters: an item that shares nothing has one without a name.
        if (sample.clusters.empty()) sample.clusters.emplace_back();
        visit({.position = sample.position,
               .id = std::move(sample.item),
               .clusters = std::move(sample.clusters),
               .category = std::move(sample.category),
               .outcome = {.values = std::move(sample.values),
                           .tied_columns = sample.ties,
                           .is_correct = sample.is_correct,
                           .margin = sample.margin,
                           .named = std::move(named)}});
      },
      store::Samples::Reading::kWithoutScores);
}

}  // namespace snellen::run
